import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Browser } from '@/tests/browser'
import { type App, OF_THIS_RUN, ROOT } from '@/tests/harness'

export interface Ran {
  code: number | null
  stdout: string
  stderr: string
}

export interface RunOptions {
  /** Standard input; none: it is closed. */
  input?: string
  env?: Record<string, string>
}

/** The command line as someone has it who installed it: packed, then installed into a folder of its own, without a network. */
export class Cli {
  private constructor(
    readonly folder: string,
    private readonly env: Record<string, string>,
  ) {}

  /** @param env what every command is run with besides */
  static install(env: Record<string, string> = {}): Cli {
    const folder = mkdtempSync(join(tmpdir(), 'terse-cli-'))
    const npm = (cwd: string, ...args: string[]) => execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: 'pipe' })
    npm(join(ROOT, 'packages/cli'), 'pack', '--ignore-scripts', '--pack-destination', folder)
    const [archive = ''] = readdirSync(folder)
    npm(folder, 'init', '--yes')
    npm(folder, 'install', '--offline', '--no-audit', '--no-fund', `./${archive}`)
    mkdirSync(join(folder, 'home'))
    return new Cli(folder, env)
  }

  get bin(): string {
    return join(this.folder, 'node_modules/.bin')
  }

  /** What commands are run in: nothing of who runs the tests. */
  get environment(): Record<string, string> {
    const home = join(this.folder, 'home')
    return {
      ...OF_THIS_RUN,
      PATH: `${this.bin}:${OF_THIS_RUN.PATH}`,
      HOME: home,
      XDG_CONFIG_HOME: join(home, 'config'),
      ...this.env,
    }
  }

  run(args: readonly string[], { input, env = {} }: RunOptions = {}): Promise<Ran> {
    return this.spawn('terse', args, { env, ...(input !== undefined && { input }) })
  }

  /** The same with JSON, one value a line. @throws when the command fails */
  async json<T = Record<string, unknown>>(args: readonly string[], options?: RunOptions): Promise<T[]> {
    const { code, stdout, stderr } = await this.run([...args, '--json'], options)
    if (code !== 0) throw new Error(`terse ${args.join(' ')} ended with ${code}: ${stderr}`)
    return stdout
      .trim()
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as T)
  }

  /** A line of a shell in the folder of the installation. */
  shell(script: string, { shell = 'bash', env = {} }: { shell?: string; env?: Record<string, string> } = {}): Promise<Ran> {
    return this.spawn(shell, ['-c', script], { env })
  }

  private spawn(program: string, args: readonly string[], { input, env }: RunOptions): Promise<Ran> {
    const child = spawn(program, args, {
      cwd: this.folder,
      env: { ...this.environment, ...env } as unknown as NodeJS.ProcessEnv,
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    const ran: Ran = { code: null, stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (text: string) => {
        ran[name] += text
      })
    }
    // It may have ended before it read all of it.
    child.stdin.on('error', () => {})
    child.stdin.end(input ?? '')
    return new Promise((resolve, reject) => {
      child.on('error', reject)
      child.on('close', (code) => resolve({ ...ran, code }))
    })
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }
}

/** An account with an API key that may do everything, and a browser that is signed in to it. */
export async function accountWithKey(app: App, name = 'Ada'): Promise<{ browser: Browser; key: string; readKey: string }> {
  const browser = new Browser(app)
  const email = `${name.toLowerCase()}@example.com`
  const signedUp = await browser.ask('POST', '/api/auth/sign-up/email', { name, email, password: 'correct horse battery' })
  if (signedUp.status !== 200) throw new Error(signedUp.body)
  const keyOf = async (scope: string) =>
    (JSON.parse((await browser.ask('POST', '/api/v1/account/keys', { name: scope, scope })).body) as { key: string }).key
  return { browser, key: await keyOf('write'), readKey: await keyOf('read') }
}
