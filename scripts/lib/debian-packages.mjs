/**
 * Server programs of another Debian release, unpacked into a cache folder. Nothing of them is installed, none of their scripts
 * runs, and root is not needed.
 */

import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { reason, run } from './processes.mjs'
import { Fault, Interrupted, print, step } from './report.mjs'
import { findProgram } from './tools.mjs'

/**
 * @typedef {object} Packages
 * @property {string} release of Debian, by its code name
 * @property {string[]} names
 */

/** Where servers for tests are kept, by what they are: up to 370 MB each. Delete one to have a newer one fetched. */
export const cacheFolder = () => path.join(process.env.XDG_CACHE_HOME || path.join(os.homedir(), '.cache'), 'terse', 'engines')

/**
 * Fetches and unpacks packages, unless they have been before.
 *
 * @param {Packages} packages
 * @param {AbortSignal} signal
 * @returns {Promise<{ bin: string } | { missing: string }>} the folder of their server programs, or why there is none
 */
export async function unpackedPackages(packages, signal) {
  const { release, names } = packages
  const folder = path.join(cacheFolder(), `${release}-${names[0]}`)
  try {
    if (!existsSync(folder)) {
      const why = await whyNotUnpack()
      if (why !== undefined) return { missing: why }
      print(`  unpacking ${names.join(' and ')} of Debian's release ${release} into ${folder} (installs nothing)`)
      await step(names[0] ?? '', () => unpack(packages, folder, signal))
    }
    return { bin: path.join(folder, 'bin') }
  } catch (error) {
    if (error instanceof Interrupted) throw error
    const output = error instanceof Fault ? (error.output ?? '') : ''
    return { missing: `getting it failed: ${reason(error)} ${output.trim().split('\n').slice(-3).join(' ')}`.trimEnd() }
  }
}

/** @returns {Promise<string | undefined>} undefined where packages may and can be unpacked */
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
 * @param {Packages} packages
 * @param {string} folder
 * @param {AbortSignal} signal
 */
async function unpack({ release, names }, folder, signal) {
  const work = `${folder}.unpacking-${process.pid}`
  removeAbandoned(path.dirname(folder))
  try {
    const [root, archives, bin] = ['root', 'apt/cache/archives', 'bin'].map((name) => path.join(work, name))
    if (!root || !archives || !bin) return
    for (const name of [root, path.join(archives, 'partial'), path.join(work, 'apt/state/lists/partial'), bin]) {
      mkdirSync(name, { recursive: true })
    }
    const apt = await privateApt(path.join(work, 'apt'), release)
    await run('apt-get', [...apt, 'update'], { signal })
    await run('apt-get', [...apt, 'install', '-y', '--download-only', ...names], { signal })
    for (const name of readdirSync(archives).filter((file) => file.endsWith('.deb'))) {
      await run('dpkg-deb', ['-x', path.join(archives, name), root], { signal })
    }
    rmSync(path.join(work, 'apt'), { recursive: true })
    writeScripts(root, bin)
    try {
      renameSync(work, folder)
    } catch (error) {
      // Another run was quicker: its folder is as good.
      if (!existsSync(folder)) throw error
    }
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/** Folders that a killed run was filling. @param {string} parent */
function removeAbandoned(parent) {
  mkdirSync(parent, { recursive: true })
  for (const name of readdirSync(parent)) {
    const [, pid] = /\.unpacking-(\d+)$/.exec(name) ?? []
    if (pid !== undefined && !existsSync(`/proc/${pid}`)) rmSync(path.join(parent, name), { recursive: true, force: true })
  }
}

/**
 * @param {string} folder for what apt keeps
 * @param {string} release
 * @returns {Promise<string[]>} the options of an apt that knows this release of Debian only, and that nothing is installed
 */
async function privateApt(folder, release) {
  const sources = path.join(folder, 'sources.list')
  const keys = '/usr/share/keyrings/debian-archive-keyring.gpg'
  writeFileSync(sources, `deb [signed-by=${keys}] ${await debianMirror()} ${release} main\n`)
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
 * Programs of another release run with its own loader and libraries, and look for their files where they were unpacked: shell
 * scripts in `bin` see to that.
 *
 * @param {string} root where they were unpacked
 * @param {string} bin
 */
function writeScripts(root, bin) {
  const libraries = readdirSync(path.join(root, 'usr/lib')).find((name) => name.endsWith('-linux-gnu')) ?? ''
  const loader = readdirSync(path.join(root, 'usr/lib', libraries)).find((name) => name.startsWith('ld-linux')) ?? ''
  const start = `#!/bin/sh
root=$(dirname "$(dirname "$(readlink -f "$0")")")/root
lib=$root/usr/lib/${libraries}
`
  const load = `exec "$lib/${loader}" --library-path "$lib:$root/usr/lib"`
  /** @type {Record<string, string>} what each does, by the program that it stands for */
  const scripts = {
    // --no-defaults has to come first.
    'usr/sbin/mysqld': `first=$1; shift
share=$root/usr/share/mysql
${load} "$root/usr/sbin/mysqld" "$first" --secure-file-priv=NULL --lc-messages-dir="$share" \\
  --character-sets-dir="$share/charsets" --plugin-dir="$root/usr/lib/mysql/plugin" "$@"
`,
    'usr/sbin/mariadbd': `first=$1; shift
${load} "$root/usr/sbin/mariadbd" "$first" --basedir="$root/usr" --plugin-dir="$root/usr/lib/mysql/plugin" "$@"
`,
    // A script itself, which calls other programs by their folder: the one above this.
    'usr/bin/mariadb-install-db': `first=$1; shift
exec sh "$root/usr/bin/mariadb-install-db" "$first" --force --basedir="$root/.." "$@"
`,
    // These two go by the name they are called by.
    'usr/bin/redis-server': `${load} "$root/usr/bin/redis-server" "$@"\n`,
    'usr/bin/valkey-server': `${load} "$root/usr/bin/valkey-server" "$@"\n`,
  }
  for (const [program, script] of Object.entries(scripts)) {
    if (!existsSync(path.join(root, program))) continue
    const file = path.join(bin, path.basename(program))
    writeFileSync(file, start + script)
    chmodSync(file, 0o755)
  }
  if (existsSync(path.join(bin, 'mariadbd'))) layOutMariadb(path.dirname(bin))
}

/** What mariadb-install-db looks for in its folder. @param {string} folder */
function layOutMariadb(folder) {
  mkdirSync(path.join(folder, 'sbin'))
  symlinkSync('../bin/mariadbd', path.join(folder, 'sbin/mariadbd'))
  for (const name of ['share', 'lib']) symlinkSync(path.join('root/usr', name), path.join(folder, name))
  // Of another package; it prints what the configuration says, and --no-defaults says that there is none.
  writeFileSync(path.join(folder, 'bin/my_print_defaults'), '#!/bin/sh\n', { mode: 0o755 })
}
