/** Finds the programs that are not npm packages, and installs them where that is allowed. */

import { accessSync, constants, realpathSync, statSync } from 'node:fs'
import path from 'node:path'
import { reason, run } from './processes.mjs'
import { Fault, print, step } from './report.mjs'

/**
 * @typedef {object} Tool
 * @property {string} purpose what it is for, as the end of "cannot find it for"
 * @property {string[]} programs names under which it is found, best first
 * @property {Record<string, string[]>} [companions] by program, others without which it is of no use
 * @property {string[]} apt the Debian and Ubuntu packages; none of these starts a service
 * @property {string[]} brew arguments of `brew install`
 * @property {string} otherwise what can be done instead of installing it
 */

const SERVERS_OTHERWISE = 'run `docker compose up`, or set DATABASE_URL and REDIS_URL to your own servers'

const TOOLS = /** @satisfies {Record<string, Tool>} */ ({
  mariadb: {
    purpose: 'the private database',
    programs: ['mariadbd', 'mysqld'],
    companions: { mariadbd: ['mariadb-install-db', 'my_print_defaults'] },
    // The second for my_print_defaults, which the first one's mariadb-install-db runs but does not bring.
    apt: ['mariadb-server-core', 'mariadb-client-core'],
    brew: ['mariadb'],
    otherwise: SERVERS_OTHERWISE,
  },
  redis: {
    purpose: 'the private Redis',
    // Debian's redis-server package would start a service on port 6379. Its server program is a link to
    // redis-check-rdb of the package redis-tools: one program, which goes by the name it is called by.
    programs: ['redis-server', 'valkey-server', 'redis-check-rdb'],
    apt: ['redis-tools'],
    brew: ['redis'],
    otherwise: SERVERS_OTHERWISE,
  },
  dump: {
    purpose: 'backups',
    programs: ['mariadb-dump', 'mysqldump'],
    apt: ['mariadb-client'],
    brew: ['mariadb'],
    otherwise: 'put the one of your database on your PATH',
  },
  chromium: {
    purpose: 'the browser tests',
    programs: ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'Google Chrome'],
    apt: ['chromium'],
    brew: ['--cask', 'google-chrome'],
    otherwise: 'set CHROMIUM_PATH to your own Chromium or Chrome',
  },
  headlessShell: {
    purpose: 'the browser tests, in half the time',
    programs: ['chromium-headless-shell', 'chrome-headless-shell'],
    apt: ['chromium-headless-shell'],
    brew: ['chrome-headless-shell'],
    otherwise: 'set CHROMIUM_PATH',
  },
  curl: {
    purpose: 'testing the commands that pages show',
    programs: ['curl'],
    apt: ['curl'],
    brew: ['curl'],
    otherwise: 'put curl on your PATH',
  },
  openssl: {
    purpose: 'testing encrypted connections',
    programs: ['openssl'],
    apt: ['openssl'],
    brew: ['openssl'],
    otherwise: 'put openssl on your PATH',
  },
  zsh: {
    purpose: 'testing what it completes',
    programs: ['zsh'],
    apt: ['zsh'],
    brew: ['zsh'],
    otherwise: 'put zsh on your PATH',
  },
  fish: {
    purpose: 'testing what it completes',
    programs: ['fish'],
    apt: ['fish'],
    brew: ['fish'],
    otherwise: 'put fish on your PATH',
  },
  wrk: {
    purpose: 'generating load in the benchmark',
    programs: ['wrk'],
    apt: ['wrk'],
    brew: ['wrk'],
    otherwise: 'put wrk on your PATH',
  },
})

/** @typedef {keyof typeof TOOLS} ToolName */

/** Servers are kept out of an ordinary user's PATH on several systems. */
const MORE_FOLDERS = [
  '/usr/sbin',
  '/usr/local/sbin',
  '/usr/local/bin',
  '/usr/libexec',
  '/opt/homebrew/bin',
  '/opt/homebrew/sbin',
  '/opt/homebrew/opt/mariadb/bin',
  '/opt/homebrew/opt/mysql/bin',
  '/Applications/Google Chrome.app/Contents/MacOS',
]

/**
 * @param {string[]} programs names, best first
 * @param {string[]} [firstIn] folders to look in before the usual ones
 * @returns {string | undefined} the full path
 */
export function findProgram(programs, firstIn = []) {
  const folders = [...firstIn, ...(process.env.PATH ?? '').split(path.delimiter), ...MORE_FOLDERS]
  for (const program of programs) {
    for (const folder of folders) {
      const file = path.join(folder, program)
      if (path.isAbsolute(file) && isProgram(file)) return file
    }
  }
  return undefined
}

/**
 * @param {Tool} tool
 * @returns {string | undefined} its path, if it is there with all it needs
 */
function findTool({ programs, companions = {} }) {
  return programs
    .map((program) => findProgram([program]))
    .find((file) => {
      if (file === undefined) return false
      // Debian's mysqld is a link to mariadbd.
      const needs = companions[path.basename(realpathSync(file))] ?? []
      return needs.every((program) => findProgram([program], [path.join(path.dirname(file), '../bin')]))
    })
}

/**
 * The paths of the tools. Those that are missing are installed, in one go, after saying so.
 *
 * @template {ToolName} Name
 * @param {Name[]} names
 * @param {AbortSignal} [signal]
 * @returns {Promise<Record<Name, string>>}
 * @throws {Fault} when one is missing and may not or cannot be installed
 */
export async function ensureTools(names, signal) {
  const missing = names.filter((name) => findTool(TOOLS[name]) === undefined)
  if (missing.length > 0)
    await install(
      missing.map((name) => TOOLS[name]),
      signal,
    )
  const paths = /** @type {Record<Name, string>} */ ({})
  for (const name of names) {
    const file = findTool(TOOLS[name])
    if (file === undefined) throw missingFault([TOOLS[name]], 'The package is installed, but the program is still missing.')
    paths[name] = file
  }
  return paths
}

/**
 * @param {Tool[]} tools
 * @param {AbortSignal} [signal]
 */
async function install(tools, signal) {
  if (process.env.NO_INSTALL === '1') throw missingFault(tools, 'NO_INSTALL=1 keeps Terse from installing it.')
  const installer = await findInstaller(signal)
  if (installer === undefined) {
    throw missingFault(tools, 'Terse can install it only through Homebrew, or through apt-get as root or with passwordless sudo.')
  }
  try {
    for (const tool of tools) print(`  installing ${installer.packageName(tool)} for ${tool.purpose} (starts no service)`)
    await step('installation', () => installer.install(tools))
  } catch (error) {
    if (error instanceof Fault) throw missingFault(tools, `Installing it failed: ${reason(error)}`, error.output)
    throw error
  }
}

/**
 * @typedef {object} Installer
 * @property {(tool: Tool) => string} packageName
 * @property {(tools: Tool[]) => Promise<void>} install
 */

/**
 * @param {AbortSignal} [signal]
 * @returns {Promise<Installer | undefined>}
 */
async function findInstaller(signal) {
  const brew = findProgram(['brew'])
  if (process.platform === 'darwin' && brew) {
    return {
      packageName: (tool) => tool.brew.join(' '),
      install: async (tools) => {
        for (const tool of tools) await run(brew, ['install', ...tool.brew], { signal })
      },
    }
  }
  const asRoot = await rootPrefix()
  if (findProgram(['apt-get']) === undefined || asRoot === undefined) return undefined
  // `env`, as sudo does not pass the variable on. The lock of another running apt-get is waited for.
  const [file = '', ...prefix] = [...asRoot, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', '-o', 'DPkg::Lock::Timeout=120']
  return {
    packageName: (tool) => tool.apt.join(' and '),
    install: async (tools) => {
      await run(file, [...prefix, 'update'], { signal })
      await run(file, [...prefix, 'install', '-y', '--no-install-recommends', ...tools.flatMap((tool) => tool.apt)], { signal })
    },
  }
}

/** @returns {Promise<string[] | undefined>} what goes before a command to run it as root */
async function rootPrefix() {
  if (process.getuid?.() === 0) return []
  try {
    await run('sudo', ['-n', 'true'])
    return ['sudo', '-n']
  } catch {
    return undefined
  }
}

/**
 * @param {Tool[]} tools
 * @param {string} why
 * @param {string} [output]
 */
function missingFault(tools, why, output) {
  const needs = tools.map((tool) => `${tool.programs.slice(0, 2).join(' or ')} for ${tool.purpose}`).join(' and ')
  const packages =
    process.platform === 'darwin'
      ? `brew install ${tools.flatMap((tool) => tool.brew).join(' ')}`
      : `apt-get install ${tools.flatMap((tool) => tool.apt).join(' ')}`
  const otherwise = [...new Set(tools.map((tool) => tool.otherwise))].join(', or ')
  return new Fault(`cannot find ${needs}. ${why} Install it yourself (\`${packages}\`), or ${otherwise}.`, output)
}

/** @param {string} file */
function isProgram(file) {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}
