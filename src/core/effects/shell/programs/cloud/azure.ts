import { storeTransfer } from './amazon.js';
import { serviceRows, type ServiceSpec } from './service.js';

/** Source: Azure CLI reference 2.67. */
const AZ: ServiceSpec = {
  names: 'az',
  service: 'azure',
  host: 'management.azure.com',
  flags: '--yes -y --no-wait --debug --verbose --only-show-errors --force --force-string --recursive',
  values:
    '--name -n --resource-group -g --subscription -s --output -o --query --location -l --vault-name --account-name --account-key --connection-string --container-name -c --file -f --source --destination --image --registry -r --repository --id --ids --template-file --parameters --role --assignee --scope --vnet-name --server --server-name --username -u --password -p --tenant -t --sku --admin-user --admin-password --type --sas-token --policy --pattern --query-examples --scripts --command-id --src --settings',
  nouns: 'deployment storage config account login image tag monitor policy',
  delete:
    '* delete, * * delete, * * * delete, * purge, * * purge, * * delete-batch, * untag, * repository untag, vm deallocate, vm stop, webapp stop, functionapp stop, * disable, * * disable, * remove, * * remove, cosmosdb failover-*, aks stop, lock delete, postgres flexible-server stop, account clear, storage blob sync, * * revoke, ad app credential delete, keyvault secret disable',
  grant:
    'role assignment create, ad app permission *, ad sp create-for-rbac, keyvault set-policy, storage container set-permission, storage account keys renew, network nsg rule create, network nsg rule update, ad user create, ad group member add, acr update --admin-enabled, role definition *, storage * generate-sas, vm user *, ad app credential reset, ad sp credential reset, sql server firewall-rule create, postgres * firewall-rule create, storage account update --allow-blob-public-access',
  publish:
    'webapp up, webapp deploy, webapp deployment *, functionapp deployment *, deployment * create, deployment create, storage blob upload, storage blob upload-batch, acr build, containerapp up, containerapp update, staticwebapp *, pipelines run, boards *, repos pr create, artifacts universal publish, acr push, acr import, storage blob copy *',
  secret:
    'keyvault secret show, keyvault secret download, keyvault key download, keyvault certificate download, storage account keys list, storage account show-connection-string, acr credential show, account get-access-token, aks get-credentials, webapp deployment list-publishing-*, functionapp keys list, cosmosdb keys list, redis list-keys, servicebus * keys list, eventhubs * keys list, acr login, iot hub connection-string show, ad sp credential list, cognitiveservices account keys list, search admin-key show, sql db show-connection-string, postgres * show-connection-string',
  run: 'vm run-command invoke, aks command invoke, webapp ssh, container exec, containerapp exec, vmss run-command invoke, ssh vm, vm extension set, acr run, functionapp function invoke, webapp remote-connection *, serial-console *, rest',
  login: 'login, logout, account set, configure',
  read: 'account list, account show, group list, * list, * show, * * list, * * show, * * * list, * * * show, monitor *, deployment * validate, deployment * what-if, storage blob exists, storage blob download*, graph query, aks check-acr, advisor *, consumption *, find *, version, acr check-*, config get, storage fs file list',
  change:
    'config set, extension *, upgrade, keyvault secret set, webapp restart, vm start, vm restart, group create, aks scale, webapp config *',
  quiet: 'help, version, interactive, feedback',
  also: (run, operands, parsed) => {
    for (const file of parsed.values('--template-file', '--scripts')) run.read(file);
    const words = operands.map(({ text }) => text).join(' ');
    if (/^storage blob upload/.test(words))
      for (const file of parsed.values('--file', '-f', '--source', '-s'))
        run.read(file, { traits: words.endsWith('batch') ? ['recursive'] : [] });
    if (/^storage blob download/.test(words))
      for (const file of parsed.values('--file', '-f', '--destination')) run.write(file, { traits: ['download'] });
  },
};

/** Source: AzCopy reference 10. */
const AZCOPY: ServiceSpec = {
  names: 'azcopy',
  service: 'azure',
  host: 'blob.core.windows.net',
  flags: '--recursive',
  values: '--include-pattern --exclude-pattern --from-to --log-level --output-type --include-path --exclude-path',
  delete: 'remove, rm, sync --delete-destination=true, sync --delete-destination, jobs clean, jobs remove, sync',
  publish: 'copy, cp, make, mk, set-properties',
  read: 'list, ls, jobs list, jobs show, env, doc, login status, bench',
  login: 'login, logout',
  also: (run, operands, parsed) => {
    const [verb, ...rest] = operands;
    if (verb && /^(copy|cp|sync)$/.test(verb.text))
      storeTransfer(run, rest, { isRecursive: verb.text === 'sync' || parsed.has('--recursive'), isMoving: false });
  },
};

export const azurePrograms = [
  AZ,
  AZCOPY,
  {
    names: 'azd',
    service: 'azure',
    host: 'management.azure.com',
    delete: 'down, env delete',
    publish: 'up, deploy, provision, publish',
    login: 'auth login, auth logout',
    secret: 'env get-values, env get-value, auth token',
    local: 'init, package, restore',
    change: 'env set, env new, env select, config set, pipeline config',
    read: 'show, env list, monitor, config show, template list',
    values: '-e --environment -C --cwd --subscription --location',
  },
  {
    names: 'func',
    service: 'azure',
    host: 'azurewebsites.net',
    publish: 'azure functionapp publish *, kubernetes deploy',
    secret: 'azure functionapp fetch-app-settings, azure storage fetch-connection-string, settings decrypt',
    local: 'init, new, start, host start, extensions *, settings *, pack',
    values: '--name --template',
  },
].flatMap((spec: ServiceSpec) => serviceRows(spec));
