import type { Url } from './url.js';

/** Methods that only ask. Source: RFC 9110 §9.2.1. */
const ASKING: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND']);

/**
 * Ports of services that hold data or run things, which count as services on the own machine too: a dev server's `DELETE
 * /items/1` is a test, the same on a search index or a cluster is not.
 */
const SERVICE_PORTS: ReadonlyMap<number, string> = new Map([
  [2019, 'caddy'],
  [2375, 'docker'],
  [2376, 'docker'],
  [2379, 'etcd'],
  [4242, 'unleash'],
  [4646, 'nomad'],
  [5984, 'couchdb'],
  [6333, 'qdrant'],
  [6443, 'kubernetes'],
  [7474, 'neo4j'],
  [7700, 'meilisearch'],
  [8001, 'kong'],
  [8444, 'kong'],
  [8086, 'influxdb'],
  [8108, 'typesense'],
  [8123, 'clickhouse'],
  [8200, 'vault'],
  [8428, 'victoriametrics'],
  [8500, 'consul'],
  [8983, 'solr'],
  [9090, 'prometheus'],
  [9093, 'alertmanager'],
  [9200, 'elasticsearch'],
  [9222, 'browser'],
  [9229, 'node'],
  [9600, 'logstash'],
  [15672, 'rabbitmq'],
  [19530, 'milvus'],
]);

/** Paths to which a POST only asks: searches, counts, explanations. */
const QUERIES =
  /\/(_?m?search|_count|_msearch|_explain|_validate\/query|_field_caps|_mget|query|queries|_sql|_analyze|_cat\/.*|lookup|validate|render)\/?$/i;

/** Paths and GraphQL mutations by which a POST or GET takes something away. */
const TAKES_AWAY =
  /(_delete_by_query|delete[-_]?batch|\/delete(\/|$|\?|-)|\/destroy|\/purge|\/_close$|\/_shrink|\/dodelete|\/dowipeout|\/remove(\/|$|\?)|\/drop(\/|$|\?)|\/terminate|\/truncate|\/prune|\/wipe|\/reset$|\/cancel$|\/deactivate|\/disable$|\/revoke|\/_rollover|\/_forcemerge|\/stop$|\/kill$|\/quit$|\/shutdown|\/safe-?exit|\/safe-?restart|\/quietdown|\/doDelete|\/exit$)/i;
const MUTATION_TAKES_AWAY =
  /\bmutation\b[^]{0,2000}?\b(\w*(?:delete|remove|destroy|drop|purge|terminate|revoke)\w*)\s*[({]/i;
/** Bodies that tell a server to take something away: `{"actions":[{"remove":…}]}`, `{"delete":{"query":…}}`. */
const BODY_TAKES_AWAY = /"(?:delete|remove|remove_index|drop|purge)"\s*:\s*[{["]/i;

/** Schemes by which a line of the URL itself is sent to a port: whatever listens there takes it for a command. */
const RAW = /^(?:gopher|dict|telnet|tftp|ldaps?)$/;

/** The service a URL speaks to; null for a server of one's own machine that is no known service. */
export function serviceOf(url: Url | null): string | null {
  if (url === null) return null;
  if (url.host.kind !== 'loopback') return url.host.name;
  if (RAW.test(url.scheme)) return `port ${String(url.port ?? 0)}`;
  const known = url.port === null ? undefined : SERVICE_PORTS.get(url.port);
  return (
    known ?? (/^\/(_cluster|_all|_snapshot|_index_template|_cat|_nodes)\b/.test(url.path) ? 'elasticsearch' : null)
  );
}

/** Whether a method, in capitals, only asks. */
export const onlyAsks = (method: string): boolean => ASKING.has(method);

/** Where Vault answers with what it keeps. Source: Vault 1.18 HTTP API. */
const VAULT_SECRETS = /^\/v1\/(?!sys\/(?:health|seal-status|leader|mounts|host-info)|auth\/token\/lookup)/;

/** What a request makes the other side do, by its method in capitals, its path and its body; `none` where it only asks. */
export function deedOfRequest(
  method: string,
  path: string,
  body: string,
  service: string | null,
): 'delete' | 'write' | 'secret' | 'none' {
  if (service?.startsWith('port ') === true) return 'write';
  const takesAway =
    method === 'DELETE' || TAKES_AWAY.test(path) || MUTATION_TAKES_AWAY.test(body) || BODY_TAKES_AWAY.test(body);
  if (takesAway && (!ASKING.has(method) || /delete|destroy|purge/i.test(path))) return 'delete';
  if (!ASKING.has(method)) return QUERIES.test(path) ? 'none' : 'write';
  return service === 'vault' && VAULT_SECRETS.test(path) ? 'secret' : 'none';
}
