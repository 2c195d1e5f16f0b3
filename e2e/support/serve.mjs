/**
 * Runs the built app on an empty database and an empty Redis database, both named by the settings, and
 * leaves nothing behind: `node e2e/support/serve.mjs`, until SIGTERM.
 */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Redis } from 'ioredis'
import { createConnection } from 'mariadb'

const { DATABASE_URL = '', REDIS_URL = '' } = process.env
const databaseUrl = new URL(DATABASE_URL)
const database = databaseUrl.pathname.slice(1)
// The name goes into a statement, and what is dropped here must be a test's.
if (!/^terse_e2e\w*$/.test(database)) throw new Error(`DATABASE_URL names "${database}", which is no database of these tests`)

await clear()
const dataDir = mkdtempSync(path.join(tmpdir(), 'terse-e2e-'))
const app = spawn(process.execPath, ['--enable-source-maps', 'dist/server.js'], {
  stdio: 'inherit',
  env: { ...process.env, DATA_DIR: dataDir },
})
for (const signal of /** @type {const} */ (['SIGTERM', 'SIGINT'])) process.on(signal, () => app.kill(signal))
const [code] = await once(app, 'exit')
rmSync(dataDir, { recursive: true, force: true })
await clear(false)
process.exitCode = code ?? 0

/** @param {boolean} create whether to leave an empty database rather than none */
async function clear(create = true) {
  const connection = await createConnection({
    host: databaseUrl.hostname,
    port: Number(databaseUrl.port || 3306),
    user: decodeURIComponent(databaseUrl.username),
    password: decodeURIComponent(databaseUrl.password),
  })
  await connection.query(`DROP DATABASE IF EXISTS \`${database}\``)
  if (create) await connection.query(`CREATE DATABASE IF NOT EXISTS \`${database}\``)
  await connection.end()
  const redis = new Redis(REDIS_URL)
  await redis.flushdb()
  await redis.quit()
}
