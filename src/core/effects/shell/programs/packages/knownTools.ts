import { BUILD_TOOLS } from '../build.js';

/**
 * Whether a name is that of a well-known development tool, so that `npx name` and `uvx name` mean the tool and not some package.
 * The package of that name is the tool's own.
 */
export const isKnownTool = (name: string): boolean => BUILD_TOOLS.has(name) || SERVICES.has(name);

/** Command lines of services that are packages of the same name. */
const SERVICES = new Set(
  'wrangler vercel netlify firebase prisma drizzle-kit knex sequelize-cli typeorm supabase serverless sls cdk expo eas nx turbo lerna http-server serve live-server json-server tsx ts-node nodemon concurrently rimraf'.split(
    ' ',
  ),
);
