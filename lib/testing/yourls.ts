import { type ChildProcess, spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { vi } from 'vitest'
import { parseDatabaseUrl } from '@/lib/tools/database-url'
import { freePort } from '@/scripts/lib/loopback.mjs'
import { run } from '@/scripts/lib/processes.mjs'
import { findProgram } from '@/scripts/lib/tools.mjs'
import { atEnd } from './cleanup'
import { emptyDatabase } from './database'

/** The domain that its links have. */
export const YOURLS_HOST = 'go.example'
const [NAME, PASSWORD] = ['ada', 'only-for-tests']
const COOKIE_KEY = 'only-for-tests-only-for-tests'
/** What lets its API in, as its page of tools shows it. */
export const YOURLS_SIGNATURE = createHmac('sha256', COOKIE_KEY).update(`api:${NAME}`).digest('hex').slice(0, 32)
const WORKERS = '4'

/** Why there is no YOURLS here, else '' : its folder is named by TEST_YOURLS, and PHP serves it. */
export async function missingYourls(): Promise<string> {
  const { TEST_YOURLS: folder } = process.env
  if (!folder) return 'set TEST_YOURLS to a folder with the source of YOURLS'
  if (!existsSync(join(folder, 'yourls-loader.php'))) return `TEST_YOURLS=${folder} has no yourls-loader.php`
  const php = findProgram(['php'])
  if (php === undefined) return 'there is no php on this machine (Debian: php-cli and php-mysql)'
  if (!/^pdo_mysql$/m.test(await run(php, ['-m']))) return 'this php has no pdo_mysql (Debian: php-mysql)'
  return dumper() === undefined ? 'there is no mariadb-dump on this machine (Debian: mariadb-client)' : ''
}

const dumper = () => findProgram(['mariadb-dump', 'mysqldump'])

/** Every request that names no file is for YOURLS, as its .htaccess has it. */
const ROUTER = `<?php
$path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
if ($path !== '/' && is_file($_SERVER['DOCUMENT_ROOT'] . $path)) return false;
require $_SERVER['DOCUMENT_ROOT'] . '/yourls-loader.php';
`

/** Creates links as its pages do, in one transaction. Prints each code with its address. */
const FILL = `<?php
$_SERVER['HTTP_HOST'] = '${YOURLS_HOST}';
$_SERVER['REQUEST_URI'] = '/';
require $argv[1] . '/includes/load-yourls.php';
$db = yourls_get_db();
$db->beginTransaction();
for ($i = 0; $i < (int) $argv[2]; $i++) {
  $made = yourls_add_new_link("https://example.com/page/$i?from=yourls", '', "Page $i");
  if ($made['status'] !== 'success') { fwrite(STDERR, json_encode($made)); exit(1); }
  echo $made['url']['keyword'], ' ', $made['url']['url'], "\\n";
}
$db->commit();
`

/** A real YOURLS on this machine, with a database of its own, and the codes that it created. */
export class Yourls {
  private server: ChildProcess | undefined

  private constructor(
    private readonly folder: string,
    readonly databaseUrl: string,
    private readonly port: number,
  ) {}

  /** Installs it by its own page, and has it create so many links. */
  static async open(links: number): Promise<{ yourls: Yourls; urls: Map<string, string> }> {
    const folder = mkdtempSync(join(tmpdir(), 'terse-yourls-'))
    atEnd(() => rmSync(folder, { recursive: true, force: true }))
    cpSync(process.env.TEST_YOURLS ?? '', folder, { recursive: true })
    const databaseUrl = await emptyDatabase()
    writeFileSync(join(folder, 'user', 'config.php'), configOf(databaseUrl))
    writeFileSync(join(folder, 'router.php'), ROUTER)
    writeFileSync(join(folder, 'fill.php'), FILL)
    const yourls = new Yourls(folder, databaseUrl, await freePort())
    atEnd(() => yourls.stop())
    await yourls.start()
    const body = 'install=Install'
    const installed = await yourls.ask(
      'POST',
      '/admin/install.php',
      { 'content-type': 'application/x-www-form-urlencoded' },
      body,
    )
    if (!installed.body.includes('tables successfully created')) throw new Error(`YOURLS was not installed: ${installed.body}`)
    const made = await run('php', [join(folder, 'fill.php'), folder, String(links)])
    const lines = made.trim().split('\n')
    return { yourls, urls: new Map(lines.map((line) => line.split(' ') as [string, string])) }
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`
  }

  async start(): Promise<void> {
    const args = ['-S', `127.0.0.1:${this.port}`, '-t', this.folder, join(this.folder, 'router.php')]
    // A group of its own: its workers are stopped and ended with it.
    this.server = spawn('php', args, {
      env: { ...process.env, PHP_CLI_SERVER_WORKERS: WORKERS },
      stdio: 'ignore',
      detached: true,
    })
    await vi.waitFor(() => this.ask('HEAD', '/'), { timeout: 10_000 })
  }

  /** Stops all of it where it stands, or has it go on. */
  signal(name: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL'): void {
    if (this.server?.pid !== undefined) process.kill(-this.server.pid, name)
  }

  /** Ends it at once. */
  async stop(): Promise<void> {
    const { server } = this
    if (!server || server.exitCode !== null || server.signalCode !== null) return
    const ended = new Promise((resolve) => server.once('exit', resolve))
    this.signal('SIGKILL')
    await ended
  }

  /** One request, as of a visitor of the short domain. */
  ask(
    method: string,
    path: string,
    headers: Record<string, string> = {},
    body?: string,
  ): Promise<{ status: number; to: string | undefined; body: string }> {
    return new Promise((resolve, reject) => {
      const options = {
        host: '127.0.0.1',
        port: this.port,
        method,
        path,
        agent: false,
        headers: { host: YOURLS_HOST, ...headers },
      }
      const request = http.request(options, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, to: response.headers.location, body: Buffer.concat(chunks).toString() }),
        )
      })
      request.on('error', reject)
      request.end(body)
    })
  }

  /** All of its database, as its backup would be. @returns the file */
  async dump(): Promise<string> {
    const { host, port, user, password, database } = parseDatabaseUrl(this.databaseUrl)
    const file = join(this.folder, 'dump.sql')
    const args = [
      `--host=${host}`,
      `--port=${port}`,
      `--user=${user}`,
      `--password=${password}`,
      '--protocol=TCP',
      `--result-file=${file}`,
    ]
    await run(dumper() ?? '', [...args, String(database)])
    if (!readFileSync(file, 'utf8').includes('yourls_url')) throw new Error('the dump has no links')
    return file
  }
}

function configOf(databaseUrl: string): string {
  const { host, port, user, password, database } = parseDatabaseUrl(databaseUrl)
  const settings = {
    ...{ DB_USER: user, DB_PASS: password, DB_NAME: database, DB_HOST: `${host}:${port}`, DB_PREFIX: 'yourls_' },
    ...{ SITE: `http://${YOURLS_HOST}`, LANG: '', UNIQUE_URLS: true, PRIVATE: true, COOKIEKEY: COOKIE_KEY },
    ...{ URL_CONVERT: 36, DEBUG: false, FLOOD_DELAY_SECONDS: 0, NO_HASH_PASSWORD: true },
  }
  const lines = Object.entries(settings).map(([name, value]) => `define('YOURLS_${name}', ${JSON.stringify(value)});`)
  return `<?php\n${lines.join('\n')}\n$yourls_user_passwords = ['${NAME}' => '${PASSWORD}'];\n$yourls_reserved_URL = [];\n`
}
