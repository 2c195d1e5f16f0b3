/** The three parts of the build, each made again only when something it is made from has changed. */

import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import nextConfig, { MESSAGE_ALIAS } from '../../next.config.js'
import { settingsDataFolder } from './data-folder.mjs'
import { packageProgram, ROOT, run } from './processes.mjs'
import { Fault, step } from './report.mjs'
import { forget, hashFiles, listFiles, unlessFresh } from './stamp.mjs'

/**
 * What the app is not made from. Listing that, and not the folders that the app is made from, means that
 * a new folder is never forgotten: at worst something is built once too often.
 */
const NOT_SOURCES = new Set([
  'node_modules',
  'dist',
  'docs',
  'e2e',
  'extension',
  'bench',
  'tests',
  'coverage',
  'packages',
  'test-results',
  'playwright-report',
  'scripts',
  'Dockerfile',
  'docker-compose.yml',
  'LICENSE',
  'biome.json',
  'next-env.d.ts', // written by the build itself
])

/**
 * @param {AbortSignal} signal
 */
export async function buildAll(signal) {
  await generatePrismaClient(signal)
  await bundleServer()
  await buildNext(signal)
}

/** @param {AbortSignal} signal */
export async function generatePrismaClient(signal) {
  const inputs = hashFiles(['prisma/schema.prisma', 'prisma.config.ts', 'package-lock.json'])
  await step('database client', async ({ note }) => {
    const generate = () =>
      run(process.execPath, [packageProgram('prisma'), 'generate'], {
        // Prisma looks for an engine to download before it generates, which never runs it: any program will do.
        env: { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: '/bin/true', CHECKPOINT_DISABLE: '1' },
        signal,
      })
    if (!(await unlessFresh(generatedClientFolder(), inputs, generate))) note('up to date')
  })
}

/**
 * The server and the commands, bundled for Node into `dist/`. Needs the database client. What an earlier
 * bundle left there stays: a server that runs from it may still import a part of it.
 */
export async function bundleServer() {
  await step('server', async ({ note }) => {
    if (!(await unlessFresh('dist', sourcesHash(), () => bundle(serverEntryPoints())))) note('up to date')
  })
}

/** The pages, built by Next.js into `.next/`. Needs the database client. @param {AbortSignal} signal */
export async function buildNext(signal) {
  await step('pages', async ({ doing, note }) => {
    doing('building the pages (next build)')
    const build = () =>
      run(process.execPath, [packageProgram('next'), 'build'], {
        env: { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' },
        signal,
      })
    if (!(await unlessFresh('.next', sourcesHash(), build))) note('up to date')
  })
}

/**
 * Bundles the server again at each change of its sources.
 *
 * @param {() => void} onBundle after each bundling that succeeded, the first one too
 * @returns {Promise<{ dispose: () => Promise<void> }>}
 */
export async function watchServer(onBundle) {
  forget('dist')
  const { context } = await import('esbuild')
  const watching = await context({
    ...bundleOptions(serverEntryPoints()),
    logLevel: 'warning',
    plugins: [
      {
        name: 'on-bundle',
        setup: (build) =>
          build.onEnd(({ errors }) => {
            if (errors.length === 0) onBundle()
          }),
      },
    ],
  })
  await watching.watch()
  return watching
}

/** Bundles the benchmark. @returns {Promise<string>} its path */
export async function bundleBenchmark() {
  await bundle({ 'bench/run': 'bench/run.ts' })
  return path.join(ROOT, 'dist/bench/run.js')
}

/** What of extension/ the browser reads as it is. */
const EXTENSION_FILES = ['manifest.json', 'popup.html', 'options.html', 'style.css', 'icons', '_locales']

/** Makes the browser extension. @param {string} [folder] where to @returns {Promise<string>} its path */
export async function buildExtension(folder = path.join(ROOT, 'dist/extension')) {
  const { build } = await import('esbuild')
  rmSync(folder, { recursive: true, force: true })
  for (const name of EXTENSION_FILES) cpSync(path.join(ROOT, 'extension', name), path.join(folder, name), { recursive: true })
  await build({
    absWorkingDir: ROOT,
    entryPoints: ['extension/popup.ts', 'extension/options.ts'],
    outdir: folder,
    bundle: true,
    format: 'esm',
    target: 'chrome120',
    logLevel: 'silent',
  })
  return folder
}

/**
 * Packages of CommonJS that are imported when they are needed: bundled, they would come without the names of what they export.
 */
const COMMON_JS_ON_DEMAND = ['@zxcvbn-ts/language-common']

/**
 * With its packages, of which the server uses hundreds of small files: to find and read each takes a third of the time of a
 * start. Those that Next.js does not bundle stay outside here too, so that a process has one copy of them.
 *
 * @param {Record<string, string>} entryPoints
 * @returns {import('esbuild').BuildOptions}
 */
function bundleOptions(entryPoints) {
  return {
    absWorkingDir: ROOT,
    entryPoints,
    outdir: 'dist',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    alias: MESSAGE_ALIAS,
    external: ['next', '@playwright/test', ...(nextConfig.serverExternalPackages ?? []), ...COMMON_JS_ON_DEMAND],
    // With which CommonJS packages ask for Node's modules.
    banner: { js: "import { createRequire as requireFrom } from 'node:module'\nconst require = requireFrom(import.meta.url)" },
    sourcemap: true,
    // Node reads the maps at each start, and shows lines of files that are there.
    sourcesContent: false,
    logLevel: 'silent',
  }
}

/** The commands of lib/cli, which `scripts/run.mjs` runs. @returns {string[]} */
export function commandNames() {
  const folder = path.join(ROOT, 'lib/cli')
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => path.basename(file, '.ts'))
}

function serverEntryPoints() {
  /** @type {Record<string, string>} */
  const entryPoints = { server: 'server.ts', 'clicks-thread': 'lib/clicks/thread.ts', 'qr-thread': 'lib/qr/thread.ts' }
  for (const name of commandNames()) entryPoints[`cli/${name}`] = `lib/cli/${name}.ts`
  return entryPoints
}

function sourcesHash() {
  const files = listFiles('', (name, folder) => {
    if (name.startsWith('.') || /\.(test\.tsx?|md|tsbuildinfo|log)$/.test(name)) return true
    if (path.resolve(ROOT, folder, name) === settingsDataFolder()) return true
    return folder === '' && NOT_SOURCES.has(name)
  })
  return hashFiles([...files, 'scripts/lib/build.mjs'])
}

/** Where the schema says that the client goes, relative to the repository. */
function generatedClientFolder() {
  const schema = readFileSync(path.join(ROOT, 'prisma/schema.prisma'), 'utf8')
  const output = /^\s*output\s*=\s*"([^"]+)"/m.exec(schema)?.[1]
  if (output === undefined) throw new Fault('prisma/schema.prisma has no output folder for the client.')
  return path.join('prisma', output)
}

/**
 * @param {Record<string, string>} entryPoints by what they become in dist/
 * @throws {Fault} with esbuild's own words
 */
async function bundle(entryPoints) {
  const { build, formatMessages, stop } = await import('esbuild')
  try {
    const { metafile } = await build({ ...bundleOptions(entryPoints), metafile: true })
    const onDemand = Object.values(metafile.inputs).flatMap(({ imports }) =>
      imports.filter(({ kind }) => kind === 'dynamic-import'),
    )
    const nameless = onDemand.find(({ path }) => metafile.inputs[path]?.format === 'cjs')
    if (nameless) throw new Fault(`add ${nameless.path} to COMMON_JS_ON_DEMAND in scripts/lib/build.mjs.`)
  } catch (error) {
    if (error instanceof Fault) throw error
    const { errors } = /** @type {import('esbuild').BuildFailure} */ (error)
    const messages = await formatMessages(errors, { kind: 'error', color: process.stdout.isTTY })
    throw new Fault('bundling the server failed. The errors are above.', messages.join('\n'))
  } finally {
    // Otherwise its helper process stays for as long as the app runs.
    await stop()
  }
}
