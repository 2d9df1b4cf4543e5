/** Packages that half of all projects use: named by a person's "install the formatter" as well as by their name. */
const NPM =
  '@types/node @types/react @vitejs/plugin-react axios chai chalk commander concurrently cross-env cypress dayjs dotenv esbuild eslint express fastify globals husky jest jsdom lint-staged lodash mocha next nodemon nyc playwright pnpm postcss prettier react react-dom rimraf rollup sass stylelint supertest svelte tailwindcss ts-jest ts-node tsx typescript typescript-eslint vite vitest vue webpack webpack-cli yarn zod';
const PYPI =
  'alembic attrs autopep8 beautifulsoup4 black boto3 build celery certifi click coverage cryptography django fastapi flake8 flask gunicorn httpx hypothesis ipython isort jinja2 jupyter lxml matplotlib mypy nox numpy openpyxl packaging pandas pillow pip pipenv poetry pre-commit psycopg2-binary pydantic pylint pyright pytest pytest-asyncio pytest-cov python-dateutil python-dotenv pyyaml redis requests rich ruff scikit-learn scipy setuptools six sphinx sqlalchemy tox tqdm twine typer urllib3 uv uvicorn virtualenv wheel';
const CARGO =
  'anyhow async-trait axum bytes chrono clap criterion crossbeam futures hyper itertools log once_cell rand rayon regex reqwest serde serde_json syn thiserror tokio toml tracing uuid';

const GO =
  'github.com/spf13/cobra github.com/spf13/viper github.com/spf13/pflag github.com/stretchr/testify github.com/gin-gonic/gin github.com/gorilla/mux github.com/go-chi/chi/v5 github.com/go-chi/chi github.com/sirupsen/logrus go.uber.org/zap google.golang.org/grpc google.golang.org/protobuf gopkg.in/yaml.v3 github.com/jackc/pgx/v5 github.com/redis/go-redis/v9 github.com/labstack/echo/v4 github.com/gofiber/fiber/v2 github.com/google/uuid github.com/google/go-cmp github.com/pkg/errors github.com/lib/pq github.com/mattn/go-sqlite3 gorm.io/gorm github.com/joho/godotenv';
const GEM =
  'bundler byebug capybara devise factory_bot factory_bot_rails faker minitest nokogiri pg pry puma rails rake redis rspec rspec-rails rubocop sidekiq sinatra sqlite3';
const COMPOSER =
  'doctrine/orm friendsofphp/php-cs-fixer guzzlehttp/guzzle laravel/framework monolog/monolog phpstan/phpstan phpunit/phpunit psr/log symfony/console symfony/http-client';

const KNOWN: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['npm', new Set(NPM.split(' '))],
  ['pypi', new Set(PYPI.split(' '))],
  ['cargo', new Set(CARGO.split(' '))],
  ['go', new Set(GO.split(' '))],
  ['gem', new Set(GEM.split(' '))],
  ['composer', new Set(COMPOSER.split(' '))],
]);

/** Whether a package of this name is so common that a name close to it would be the suspicious one. */
export const isWellKnownPackage = (ecosystem: string, name: string): boolean =>
  (ecosystem === 'go' && name.startsWith('golang.org/x/')) || (KNOWN.get(ecosystem)?.has(name.toLowerCase()) ?? false);
