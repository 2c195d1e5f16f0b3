/**
 * A real MySQL, with a Valkey beside it, for the tests: that of the setting TEST_MYSQLD, one on the PATH, or on Debian the one of
 * Debian's newest release, unpacked into a cache folder. Nothing of it is installed, and root is not needed.
 */

import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { reason, run } from './processes.mjs'
import { Fault, Interrupted, print, step } from './report.mjs'
import { ensureTools, findProgram } from './tools.mjs'

/** @typedef {{ mariadb: string, redis: string }} Programs */

const PACKAGES = ['mysql-server-core', 'valkey-server']
/** About 370 MB. Delete it to have a newer release unpacked. */
const CACHE = path.join(process.env.XDG_CACHE_HOME || path.join(os.homedir(), '.cache'), 'terse', 'mysql-engine')

/**
 * @param {AbortSignal} signal
 * @returns {Promise<{ programs: Programs, version: string } | { missing: string }>} where the programs are, or why there are none
 * @throws {Fault} when TEST_MYSQLD is no MySQL
 */
export async function findMysqlEngine(signal) {
  const given = process.env.TEST_MYSQLD
  if (given) {
    const version = await mysqlVersion(given)
    if (version === undefined) throw new Fault(`TEST_MYSQLD=${given} is not a MySQL server.`)
    return { programs: await besideRedis(given, signal), version }
  }
  // Debian's mysqld is MariaDB.
  const found = findProgram(['mysqld'])
  const version = found && (await mysqlVersion(found))
  if (found && version) return { programs: await besideRedis(found, signal), version }
  return await unpackedEngine(signal)
}

/** @param {AbortSignal} signal @returns {ReturnType<typeof findMysqlEngine>} */
async function unpackedEngine(signal) {
  const programs = { mariadb: path.join(CACHE, 'bin/mysqld'), redis: path.join(CACHE, 'bin/valkey-server') }
  try {
    if (!existsSync(CACHE)) {
      const why = await whyNotUnpack()
      if (why !== undefined) return { missing: `no mysqld on this machine, and ${why}; set TEST_MYSQLD to a MySQL server` }
      print(`  unpacking ${PACKAGES.join(' and ')} from Debian's newest release into ${CACHE} (installs nothing)`)
      await step('MySQL for the tests', () => unpack(signal))
    }
    const version = await mysqlVersion(programs.mariadb)
    if (version === undefined)
      return { missing: `the MySQL in ${CACHE} does not run here; delete that folder to unpack it again` }
    return { programs, version }
  } catch (error) {
    if (error instanceof Interrupted) throw error
    const output = error instanceof Fault ? (error.output ?? '') : ''
    return { missing: `getting a mysqld failed: ${reason(error)} ${output.trim().split('\n').slice(-3).join(' ')}`.trimEnd() }
  }
}

/** @returns {Promise<string | undefined>} undefined where it may and can be unpacked */
async function whyNotUnpack() {
  if (process.env.NO_INSTALL === '1') return 'NO_INSTALL=1 keeps Terse from unpacking one'
  const release = existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : ''
  if (!/^ID=debian$/m.test(release)) return 'Terse unpacks one only on Debian'
  if (findProgram(['apt-get']) === undefined || findProgram(['dpkg-deb']) === undefined) return 'apt-get and dpkg-deb are missing'
  if ((await debianMirror()) === undefined) return 'apt has no Debian mirror configured'
  return undefined
}

/** @returns {Promise<string | undefined>} the mirror from which apt takes this machine's own release */
async function debianMirror() {
  const [, codename] = /^VERSION_CODENAME=(\w+)$/m.exec(readFileSync('/etc/os-release', 'utf8')) ?? []
  const format = '$(REPO_URI) $(RELEASE) $(COMPONENT)'
  const targets = await run('apt-get', ['indextargets', '--format', format, 'Created-By: Packages'])
  const lines = targets.split('\n').map((line) => line.split(' '))
  return lines.find(([, release, component]) => release === codename && component === 'main')?.[0]
}

/**
 * Has apt fetch the packages and all they need for a machine on which nothing is installed, with the keys and the proxy it uses
 * anyway, and unpacks them without running any of their scripts. Made under another name and renamed: a folder with
 * the right name is whole.
 *
 * @param {AbortSignal} signal
 */
async function unpack(signal) {
  const work = `${CACHE}.unpacking-${process.pid}`
  removeAbandoned()
  try {
    const [root, archives] = [path.join(work, 'root'), path.join(work, 'apt/cache/archives')]
    for (const folder of [
      root,
      path.join(archives, 'partial'),
      path.join(work, 'apt/state/lists/partial'),
      path.join(work, 'bin'),
    ]) {
      mkdirSync(folder, { recursive: true })
    }
    const apt = await privateApt(path.join(work, 'apt'))
    await run('apt-get', [...apt, 'update'], { signal })
    await run('apt-get', [...apt, 'install', '-y', '--download-only', ...PACKAGES], { signal })
    for (const name of readdirSync(archives).filter((file) => file.endsWith('.deb'))) {
      await run('dpkg-deb', ['-x', path.join(archives, name), root], { signal })
    }
    rmSync(path.join(work, 'apt'), { recursive: true })
    for (const [name, script] of Object.entries(programScripts(root))) {
      writeFileSync(path.join(work, 'bin', name), script)
      chmodSync(path.join(work, 'bin', name), 0o755)
    }
    try {
      renameSync(work, CACHE)
    } catch (error) {
      // Another run was quicker: its folder is as good.
      if (!existsSync(CACHE)) throw error
    }
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/** Folders that a killed run was filling. */
function removeAbandoned() {
  const parent = path.dirname(CACHE)
  mkdirSync(parent, { recursive: true })
  for (const name of readdirSync(parent)) {
    const [, pid] = /\.unpacking-(\d+)$/.exec(name) ?? []
    if (pid !== undefined && !existsSync(`/proc/${pid}`)) rmSync(path.join(parent, name), { recursive: true, force: true })
  }
}

/**
 * @param {string} folder for what apt keeps
 * @returns {Promise<string[]>} the options of an apt that knows Debian's newest release only, and that nothing is installed
 */
async function privateApt(folder) {
  const sources = path.join(folder, 'sources.list')
  writeFileSync(sources, `deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] ${await debianMirror()} sid main\n`)
  const status = path.join(folder, 'status')
  writeFileSync(status, '')
  const options = {
    'Dir::State': path.join(folder, 'state'),
    'Dir::State::status': status,
    'Dir::Cache': path.join(folder, 'cache'),
    'Dir::Etc::sourcelist': sources,
    'Dir::Etc::sourceparts': '/dev/null',
    'Dir::Etc::preferencesparts': '/dev/null',
    'Acquire::Languages': 'none',
    'APT::Install-Recommends': 'false',
    // An apt that root runs reads as a user who may not look into root's own cache folder.
    'APT::Sandbox::User': '',
    'Debug::NoLocking': 'true',
  }
  return ['-qq', ...Object.entries(options).flatMap(([name, value]) => ['-o', `${name}=${value}`])]
}

/**
 * Programs of another release run with its own loader and libraries, and look for their files where they were unpacked.
 *
 * @param {string} root where they were unpacked
 * @returns {Record<string, string>} shell scripts that stand for them, by name
 */
function programScripts(root) {
  const libraries = readdirSync(path.join(root, 'usr/lib')).find((name) => name.endsWith('-linux-gnu')) ?? ''
  const loader = readdirSync(path.join(root, 'usr/lib', libraries)).find((name) => name.startsWith('ld-linux')) ?? ''
  const start = `#!/bin/sh
root=$(dirname "$(dirname "$(readlink -f "$0")")")/root
lib=$root/usr/lib/${libraries}
`
  const load = `exec "$lib/${loader}" --library-path "$lib:$root/usr/lib"`
  return {
    // --no-defaults has to come first.
    mysqld: `${start}first=$1; shift
share=$root/usr/share/mysql
${load} "$root/usr/sbin/mysqld" "$first" --secure-file-priv=NULL --lc-messages-dir="$share" \\
  --character-sets-dir="$share/charsets" --plugin-dir="$root/usr/lib/mysql/plugin" "$@"
`,
    // It goes by the name it is called by.
    'valkey-server': `${start}${load} "$root/usr/bin/valkey-server" "$@"\n`,
  }
}

/** @param {string} file @returns {Promise<string | undefined>} undefined when it is no MySQL, or does not run */
async function mysqlVersion(file) {
  try {
    const text = await run(file, ['--no-defaults', '--version'])
    return text.includes('MariaDB') ? undefined : (/Ver (\S+)/.exec(text)?.[1] ?? undefined)
  } catch {
    return undefined
  }
}

/** @param {string} mysqld @param {AbortSignal} signal @returns {Promise<Programs>} */
async function besideRedis(mysqld, signal) {
  return { mariadb: mysqld, redis: findProgram(['valkey-server']) ?? (await ensureTools(['redis'], signal)).redis }
}
