/** Where the app under test listens, and what it runs on: a database and a Redis number of its own. */

import { CLIENT } from '../../lib/testing/oidc'

/** Others may be chosen, so that several runs can go on at once on one machine. */
const { E2E_PORT = '3199', E2E_NAME = '', E2E_REDIS = '5' } = process.env

export const PORT = Number(E2E_PORT)
export const BASE_URL = `http://localhost:${PORT}`
export const HOST = `localhost:${PORT}`

const DATABASE = E2E_NAME === '' ? 'terse_e2e' : `terse_e2e_${E2E_NAME}`

/** Where the sign-in provider of the tests that want one listens. */
export const PROVIDER_PORT = PORT + 1

/** The admin that there is from the start. */
export const ADMIN = { email: 'admin@example.com', password: 'an admin of browser tests' }

/** The settings of the app. */
export function appSettings(): Record<string, string> {
  return {
    PORT: String(PORT),
    BASE_URL,
    DATABASE_URL: withPath('TEST_DATABASE_URL', DATABASE),
    REDIS_URL: withPath('TEST_REDIS_URL', E2E_REDIS),
    APP_SECRET: 'a-secret-only-for-browser-tests!!',
    ADMIN_EMAIL: ADMIN.email,
    ADMIN_PASSWORD: ADMIN.password,
    OIDC_ISSUER: `http://127.0.0.1:${PROVIDER_PORT}`,
    OIDC_CLIENT_ID: CLIENT.id,
    OIDC_CLIENT_SECRET: CLIENT.secret,
    OIDC_NAME: 'Example ID',
    NODE_ENV: 'production',
    RATE_LIMIT: 'off',
    // Receivers of webhooks are programs of the tests.
    FETCH_ALLOW: '127.0.0.1',
    LINK_SCHEMES: 'mailto,tel',
    LOG_LEVEL: 'warn',
  }
}

function withPath(name: string, path: string): string {
  const url = process.env[name]
  if (!url) throw new Error(`${name} is not set. \`npm test -- browser\` starts servers for the tests and sets it.`)
  return Object.assign(new URL(url), { pathname: `/${path}` }).href
}
