/** Where the app under test listens, and what it runs on: a database and a Redis number of its own. */

export const PORT = 3199
export const BASE_URL = `http://localhost:${PORT}`
export const HOST = `localhost:${PORT}`

const DATABASE = 'terse_e2e'
const REDIS_DATABASE = 5

/** The settings of the app. */
export function appSettings(): Record<string, string> {
  return {
    PORT: String(PORT),
    BASE_URL,
    DATABASE_URL: withPath('TEST_DATABASE_URL', DATABASE),
    REDIS_URL: withPath('TEST_REDIS_URL', String(REDIS_DATABASE)),
    APP_SECRET: 'a-secret-only-for-browser-tests!!',
    NODE_ENV: 'production',
    RATE_LIMIT: 'off',
    LOG_LEVEL: 'warn',
  }
}

function withPath(name: string, path: string): string {
  const url = process.env[name]
  if (!url) throw new Error(`${name} is not set. \`npm test -- browser\` starts servers for the tests and sets it.`)
  return Object.assign(new URL(url), { pathname: `/${path}` }).href
}
