/** Packages that half of all projects use: named by a person's "install the formatter" as well as by their name. */
const NPM =
  '@types/node @types/react @vitejs/plugin-react axios chai chalk commander concurrently cross-env cypress dayjs dotenv esbuild eslint express fastify globals husky jest jsdom lint-staged lodash mocha next nodemon nyc playwright pnpm postcss prettier react react-dom rimraf rollup sass stylelint supertest svelte tailwindcss ts-jest ts-node tsx typescript typescript-eslint vite vitest vue webpack webpack-cli yarn zod';
const PYPI =
  'alembic attrs autopep8 beautifulsoup4 black boto3 build celery certifi click coverage cryptography django fastapi flake8 flask gunicorn httpx hypothesis ipython isort jinja2 jupyter lxml matplotlib mypy nox numpy openpyxl packaging pandas pillow pip pipenv poetry pre-commit psycopg2-binary pydantic pylint pyright pytest pytest-asyncio pytest-cov python-dateutil python-dotenv pyyaml redis requests rich ruff scikit-learn scipy setuptools six sphinx sqlalchemy tox tqdm twine typer urllib3 uv uvicorn virtualenv wheel';
const CARGO =
  'anyhow async-trait axum bytes chrono clap criterion crossbeam futures hyper itertools log once_cell rand rayon regex reqwest serde serde_json syn thiserror tokio toml tracing uuid';

const KNOWN: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['npm', new Set(NPM.split(' '))],
  ['pypi', new Set(PYPI.split(' '))],
  ['cargo', new Set(CARGO.split(' '))],
]);

/** Whether a package of this name is so common that a name close to it would be the suspicious one. */
export const isWellKnownPackage = (ecosystem: string, name: string): boolean =>
  KNOWN.get(ecosystem)?.has(name.toLowerCase()) ?? false;
