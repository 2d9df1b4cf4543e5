/** Modules that speak to a service with the person's rights, by the first parts of their names in each language. */
const SERVICE =
  /^(?:boto3|botocore|google\.cloud|googleapiclient|azure|kubernetes|docker|stripe|braintree|twilio|firebase_admin|redis|pymongo|motor|elasticsearch|opensearchpy|algoliasearch|kafka|confluent_kafka|digitalocean|github|gitlab|cloudflare|CloudFlare|pinecone|qdrant_client|supabase|sendgrid|slack_sdk|hvac|consul|openstack|linode_api4|hcloud|launchdarkly_api|okta|auth0|shopify|paypalrestsdk|atlassian|jira|datadog_api_client|newrelic_api|cassandra|neo4j|influxdb_client|clickhouse_connect|snowflake\.connector|sqlalchemy|sqlmodel|peewee|tortoise|mongoengine|beanie|django\.db)(?:$|\.)|^(?:aws-sdk|@aws-sdk\/|@google-cloud\/|googleapis|@azure\/|@kubernetes\/|dockerode|stripe|braintree|algoliasearch|firebase-admin|@elastic\/|@opensearch-project\/|kafkajs|@octokit\/|octokit|@gitbeaker\/|@supabase\/|ioredis|mongodb|@pinecone-database\/|@sendgrid\/|@slack\/|@vercel\/|cloudflare|twilio|auth0|@okta\/|@linear\/|@notionhq\/|@planetscale\/|@upstash\/|neo4j-driver|cassandra-driver|@prisma\/|mongoose|sequelize|typeorm|knex|drizzle-orm|@mikro-orm\/|objection)|^(?:Aws|Stripe|Braintree|Octokit|Google::Cloud|Azure|Algolia|Redis|Mongo|Elasticsearch|ActiveRecord|Sequel|Mongoid|DB|Illuminate)(?:$|::|\.|\\)/;

/** The rows of a model of the project, by the name that frameworks give them: Django's `Model.objects`. */
const ROWS = /\.objects(?:\.|$)/;

/** Members of a browser's page and of collections that only sound as if something of a service went. */
const HARMLESS =
  /^(?:removeEventListener|removeListener|removeAllListeners|removeChild|removeAttribute|removeItem|removeClass|clear(?:Timeout|Interval|Immediate|Rect|Screen|Line|Mocks|AllMocks|AllTimers)|deleteProperty|deleteRow|deleteCell|removeprefix|removesuffix|remove_(?:spaces|handler|unused\w*)|flush_(?:stdout|stderr)|cancelAnimationFrame|disableDebug|unlinkSync|unlink)$/;

/**
 * The service that a module speaks to: the first part of its name, or `database` for the rows of a model that the project itself
 * defines. Null for other modules.
 */
export function serviceOf(module: string): string | null {
  if (ROWS.test(module)) return 'database';
  return SERVICE.test(module) ? (module.split(/[./:\\]/)[0] ?? module) : null;
}

/** Whether a class of which nothing is known takes away all that it stands for by such a method: `User::truncate()`. */
export const emptiesClass = (name: string): boolean => /^(?:truncate|destroy|purge|wipe)$/.test(name);

/** Whether a method of something unknown can be one that only works on values in memory or on a page. */
export const isHarmlessMethod = (name: string): boolean => HARMLESS.test(name);
