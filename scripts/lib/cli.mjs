/**
 * Builds packages/cli: types and the schema of link files from the API's own document, then one bundle without dependencies, so
 * that it is installed in a second and from one file.
 */

import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { bundleServer, generatePrismaClient } from './build.mjs'
import { packageProgram, ROOT, run } from './processes.mjs'
import { step } from './report.mjs'
import { hashFiles, listFiles, unlessFresh } from './stamp.mjs'

export const CLI_FOLDER = 'packages/cli'
const GENERATED = path.join(CLI_FOLDER, 'src/generated')
/** What it has in common with the server, as far as it can change what is built. */
const SHARED = [
  'codes/offline',
  'links/link-destination',
  'links/destination',
  'net/host',
  'tools/encode-path',
  'tools/redirects',
  'tools/schemes',
  'tools/url',
].map((name) => `lib/${name}.ts`)
/** The types of what the client exposes, whose code is in the bundle. */
const TYPED = { 'openapi-fetch': 'dist/index.d.mts', 'openapi-typescript-helpers': 'dist/index.d.mts' }

/**
 * @param {AbortSignal} signal
 * @returns {Promise<string>} the folder of the package
 */
export async function buildCli(signal) {
  await generateClient(signal)
  await step('command line', async ({ note }) => {
    const inputs = hashFiles([...sources(), ...SHARED, 'package-lock.json', 'scripts/lib/cli.mjs'])
    const build = async () => {
      await bundleCli()
      await declareTypes(signal)
    }
    if (!(await unlessFresh(path.join(CLI_FOLDER, 'dist'), inputs, build))) note('up to date')
  })
  return path.join(ROOT, CLI_FOLDER)
}

/** What is made from the API's document. @param {AbortSignal} signal */
export async function generateClient(signal) {
  await generatePrismaClient(signal)
  await bundleServer()
  await step('API types', async ({ note }) => {
    const text = await run(process.execPath, ['dist/cli/openapi.js'], { signal })
    const inputs = hashFiles(['package-lock.json', 'scripts/lib/cli.mjs'], [text])
    const generate = () => writeGenerated(forClients(JSON.parse(text)))
    if (!(await unlessFresh(GENERATED, inputs, generate))) note('up to date')
  })
}

function sources() {
  return listFiles(
    CLI_FOLDER,
    (name) => name === 'dist' || name === 'node_modules' || name === 'tests' || name.endsWith('.test.ts'),
  )
}

/** @typedef {{ security?: Record<string, string[]>[], parameters?: { name: string, schema: { enum?: string[] } }[] }} Operation */
/**
 * @typedef {object} Document
 * @property {Record<string, Record<string, Operation>>} paths
 * @property {{ schemas: Record<string, object> }} components
 */

/** The document without what only a signed-in browser may call. @param {Document} document @returns {Document} */
function forClients(document) {
  const isOpen = (/** @type {Operation} */ { security }) => !security || security.some((one) => !('session' in one))
  const paths = Object.entries(document.paths).map(([name, operations]) => {
    const open = Object.entries(operations).filter(([, operation]) => isOpen(operation))
    return /** @type {const} */ ([name, Object.fromEntries(open)])
  })
  return { ...document, paths: Object.fromEntries(paths.filter(([, operations]) => Object.keys(operations).length > 0)) }
}

/** @param {Document} document */
async function writeGenerated(document) {
  const folder = path.join(ROOT, GENERATED)
  mkdirSync(folder, { recursive: true })
  const { default: openapiTS, astToString } = await importGenerator()
  const types = astToString(await openapiTS(document, { alphabetize: false, defaultNonNullable: false }))
  writeFileSync(path.join(folder, 'api.d.ts'), types)
  writeFileSync(path.join(folder, 'choices.json'), `${JSON.stringify(choicesIn(document))}\n`)
  writeFileSync(path.join(folder, 'links.schema.json'), `${JSON.stringify(fileSchema(document))}\n`)
}

/**
 * openapi-typescript writes types by the API that TypeScript had before version 7: it is bundled with the last one that has it, in
 * the place of ours. That comes from a package without programs of its own, as there is one `tsc` already.
 *
 * @returns {Promise<{ default: (document: object, options: object) => Promise<unknown[]>, astToString: (nodes: unknown[]) => string }>}
 */
async function importGenerator() {
  const { build } = await import('esbuild')
  const outfile = path.join(ROOT, 'dist/openapi-typescript.mjs')
  await build({
    absWorkingDir: ROOT,
    entryPoints: ['node_modules/openapi-typescript/dist/index.mjs'],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    alias: { typescript: './scripts/lib/typescript-api.mjs' },
    logLevel: 'silent',
  })
  return await import(pathToFileURL(outfile).href)
}

/** What options can be, where the API has a list of it. @param {Document} document */
function choicesIn({ paths, components: { schemas } }) {
  const ofQuery = (/** @type {Operation | undefined} */ operation, /** @type {string} */ name) =>
    operation?.parameters?.find((one) => one.name === name)?.schema.enum ?? []
  const move = /** @type {{ properties: { from: { enum: string[] } } }} */ (schemas.MoveLinks)
  return {
    importFrom: ofQuery(paths['/api/v1/links/import']?.post, 'from'),
    moveFrom: move.properties.from.enum,
    exportAs: ofQuery(paths['/api/v1/links/export']?.get, 'format'),
  }
}

/** Characters that show nothing, as lib/tools/line.ts has them: a tag of these alone would be no tag. */
const UNSEEN = '\\p{Cc}\\p{Cf}\\p{Cs}\\p{Z}\\p{M}\\u115F\\u1160\\u2800\\u3164\\uFFA0'

/** What a file of links is held to: the API's own schema of a link that is created. @param {Document} document */
function fileSchema({ components: { schemas } }) {
  const created = /** @type {{ properties: Record<string, object> }} */ (schemas.CreateLink)
  const { reuse: _reuse, password: _password, code, url, ...properties } = created.properties
  const tag = { type: 'string', minLength: 1, maxLength: 50, pattern: `^[^,]*[^,${UNSEEN}][^,]*$` }
  const description = 'The tag that marks the links of this file. Links with it that the file does not have are deleted.'
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Links as code, for “terse plan” and “terse apply”',
    type: 'object',
    required: ['managedBy', 'links'],
    additionalProperties: false,
    properties: {
      managedBy: { ...tag, description },
      domain: { type: 'string', description: 'The domain of links that name none. Default: the default domain of the server.' },
      defaults: {
        type: 'object',
        additionalProperties: false,
        properties,
        description: 'What links have that they don’t say themselves.',
      },
      links: {
        type: 'array',
        items: {
          type: 'object',
          required: ['code', 'url'],
          additionalProperties: false,
          properties: { code, url, ...properties },
        },
      },
    },
    ...referenced(created, schemas),
  }
}

/** The schemas that another names, where it names them. @param {object} from @param {Record<string, object>} schemas */
function referenced(from, schemas) {
  /** @type {Record<string, object>} */
  const found = {}
  const look = (/** @type {object} */ schema) => {
    for (const [, name = ''] of JSON.stringify(schema).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      const named = schemas[name]
      if (!named || name in found) continue
      found[name] = named
      look(named)
    }
  }
  look(from)
  return Object.keys(found).length > 0 ? { components: { schemas: found } } : {}
}

async function bundleCli() {
  const { build } = await import('esbuild')
  const dist = path.join(ROOT, CLI_FOLDER, 'dist')
  rmSync(dist, { recursive: true, force: true })
  /** @type {import('esbuild').BuildOptions & { metafile: true }} */
  const options = {
    absWorkingDir: ROOT,
    outdir: dist,
    bundle: true,
    splitting: true,
    format: 'esm',
    target: 'node20.19',
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
  }
  // The client needs nothing of Node's, and runs wherever there is `fetch`.
  const client = await build({
    ...options,
    entryPoints: { index: `${CLI_FOLDER}/src/index.ts` },
    platform: 'neutral',
    mainFields: ['module'],
  })
  const program = await build({
    ...options,
    entryPoints: { cli: `${CLI_FOLDER}/src/cli.ts` },
    platform: 'node',
    // With which packages of CommonJS ask for Node's modules.
    banner: { js: "import { createRequire as requireFrom } from 'node:module'\nconst require = requireFrom(import.meta.url)" },
  })
  cpSync(path.join(ROOT, GENERATED, 'links.schema.json'), path.join(dist, 'links.schema.json'))
  writeFileSync(
    path.join(dist, 'LICENSES.txt'),
    licencesOf([client, program].flatMap(({ metafile }) => Object.keys(metafile.inputs))),
  )
}

/** The licences of the packages that are in the bundle, which ask to be kept with it. @param {string[]} inputs */
function licencesOf(inputs) {
  const names = inputs.flatMap((file) => folderOf(file) ?? [])
  return [...new Set(names)]
    .sort()
    .map((folder) => {
      const { name, version, license } = JSON.parse(readFileSync(path.join(ROOT, folder, 'package.json'), 'utf8'))
      const file = readdirSync(path.join(ROOT, folder)).find((one) => /^licen[cs]e/i.test(one))
      const text = file === undefined ? '' : readFileSync(path.join(ROOT, folder, file), 'utf8')
      return `${name} ${version} (${license})\n\n${text.trim()}\n`
    })
    .join(`\n${'─'.repeat(80)}\n\n`)
}

/** The folder of the package that a file is of. @param {string} file */
function folderOf(file) {
  for (let folder = path.dirname(file); folder.includes('node_modules/'); folder = path.dirname(folder)) {
    const manifest = path.join(ROOT, folder, 'package.json')
    if (existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).name) return folder
  }
  return undefined
}

/** Declarations of what the package exports, with those of the packages that they name. @param {AbortSignal} signal */
async function declareTypes(signal) {
  const types = path.join(ROOT, CLI_FOLDER, 'dist/types')
  const all = path.join(ROOT, CLI_FOLDER, 'dist/types-of-all')
  const options = ['--noEmit', 'false', '--declaration', '--emitDeclarationOnly', '--outDir', all]
  const project = path.join(CLI_FOLDER, 'tsconfig.types.json')
  await run(process.execPath, [packageProgram('tsc'), '-p', project, ...options], { signal })
  // What it has in common with the server is none of what it exports.
  cpSync(path.join(all, CLI_FOLDER, 'src'), types, { recursive: true })
  rmSync(all, { recursive: true })
  cpSync(path.join(ROOT, GENERATED, 'api.d.ts'), path.join(types, 'generated/api.d.ts'))
  for (const [name, file] of Object.entries(TYPED)) {
    const text = readFileSync(path.join(ROOT, 'node_modules', name, file), 'utf8')
    writeFileSync(path.join(types, `${name}.d.ts`), besideOthers(text))
  }
  for (const name of readdirSync(types).filter((file) => file.endsWith('.d.ts'))) {
    const file = path.join(types, name)
    writeFileSync(file, besideOthers(readFileSync(file, 'utf8')))
  }
}

/** Names the copies beside a file in the place of packages, which nobody has to install. @param {string} text */
function besideOthers(text) {
  return text.replace(/(from ['"])(openapi-fetch|openapi-typescript-helpers)(['"])/g, '$1./$2.js$3')
}
