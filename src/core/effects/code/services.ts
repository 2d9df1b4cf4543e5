/** Modules that speak to a service with the person's rights, by the first parts of their names in each language. */
const SERVICE =
  /^(?:boto3|botocore|google\.cloud|googleapiclient|azure|kubernetes|docker|stripe|braintree|twilio|firebase_admin|redis|pymongo|motor|elasticsearch|opensearchpy|algoliasearch|kafka|confluent_kafka|digitalocean|github|gitlab|cloudflare|CloudFlare|pinecone|qdrant_client|supabase|sendgrid|slack_sdk|hvac|consul|openstack|linode_api4|hcloud|launchdarkly_api|okta|auth0|shopify|paypalrestsdk|atlassian|jira|datadog_api_client|newrelic_api|cassandra|neo4j|influxdb_client|clickhouse_connect|snowflake\.connector)(?:$|\.)|^(?:aws-sdk|@aws-sdk\/|@google-cloud\/|googleapis|@azure\/|@kubernetes\/|dockerode|stripe|braintree|algoliasearch|firebase-admin|@elastic\/|@opensearch-project\/|kafkajs|@octokit\/|octokit|@gitbeaker\/|@supabase\/|ioredis|mongodb|@pinecone-database\/|@sendgrid\/|@slack\/|@vercel\/|cloudflare|twilio|auth0|@okta\/|@linear\/|@notionhq\/|@planetscale\/|@upstash\/|neo4j-driver|cassandra-driver)|^(?:Aws|Stripe|Braintree|Octokit|Google::Cloud|Azure|Algolia|Redis|Mongo|Elasticsearch)(?:$|::|\.)/;

/** Members of a browser's page and of collections that only sound as if something of a service went. */
const HARMLESS =
  /^(?:removeEventListener|removeListener|removeAllListeners|removeChild|removeAttribute|removeItem|removeClass|clear(?:Timeout|Interval|Immediate|Rect|Screen|Line|Mocks|AllMocks|AllTimers)|deleteProperty|deleteRow|deleteCell|removeprefix|removesuffix|remove_(?:spaces|handler|unused\w*)|flush_(?:stdout|stderr)|cancelAnimationFrame|disableDebug|unlinkSync|unlink)$/;

/** Whether a module is one that speaks to a service. */
export const isService = (module: string): boolean => SERVICE.test(module);

/** Whether a method of something unknown can be one that only works on values in memory or on a page. */
export const isHarmlessMethod = (name: string): boolean => HARMLESS.test(name);
