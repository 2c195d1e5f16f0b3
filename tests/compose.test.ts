import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { ROOT } from './harness'

const lines = readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8').split('\n')

/** The lines that stand below a key, without its indentation: as much of YAML as this file of ours uses. */
function below(text: readonly string[], key: string): string[] {
  const start = text.findIndex((line) => line === `${key}:` || line === `${key}: |` || line === `- |`)
  if (start === -1) return []
  const rest = text.slice(start + 1)
  const end = rest.findIndex((line) => line.trim() !== '' && !line.startsWith('  '))
  return rest.slice(0, end === -1 ? undefined : end).map((line) => line.slice(2))
}

const services = below(lines, 'services')
const names = services.filter((line) => /^\w+:$/.test(line)).map((line) => line.slice(0, -1))
/** Volumes and binds of a service, as `source:target` or `source:target:ro`. */
const mounts = (service: string) =>
  below(below(services, service), 'volumes').flatMap((line) => /^- (\S+)$/.exec(line)?.[1] ?? [])
const secretsOf = (service: string) => mounts(service).filter((mount) => mount.startsWith('secrets'))

describe('docker-compose.yml', () => {
  test('gives each container its own secrets, read-only, and no other', () => {
    expect(names).toEqual(['secrets', 'mysql', 'redis', 'app'])
    expect(secretsOf('mysql')).toEqual(['secrets-mysql:/secrets:ro'])
    expect(secretsOf('redis')).toEqual(['secrets-redis:/secrets:ro'])
    expect(secretsOf('app')).toEqual(['secrets-app:/secrets:ro'])
    // Those that a start of an earlier release made stay where they were, and only what hands them out sees them.
    expect(secretsOf('secrets')).toEqual([
      'secrets:/secrets',
      'secrets-mysql:/for/mysql',
      'secrets-redis:/for/redis',
      'secrets-app:/for/app',
    ])
    const used = names.flatMap(mounts).map((mount) => mount.split(':')[0] ?? '')
    const declared = below(lines, 'volumes').flatMap((line) => /^([\w-]+):$/.exec(line)?.[1] ?? [])
    expect([...new Set(used)].sort()).toEqual(declared.sort())
    expect(below(services, 'secrets')).toContain('network_mode: none')
  })
})

describe('the services', () => {
  const running = names.filter((name) => name !== 'secrets')

  test('start again by themselves, and only once what they need is healthy', () => {
    for (const service of running) expect(below(services, service)).toContain('restart: unless-stopped')
    expect(below(below(services, 'app'), 'depends_on')).toEqual([
      'mysql: { condition: service_healthy }',
      'redis: { condition: service_healthy }',
    ])
    for (const service of ['mysql', 'redis']) {
      expect(below(below(services, service), 'depends_on')).toEqual(['secrets: { condition: service_completed_successfully }'])
      expect(below(below(services, service), 'healthcheck').some((line) => line.startsWith('test: '))).toBe(true)
    }
  })

  test('open one port, that of the app, and are given nothing of the host', () => {
    for (const service of ['secrets', 'mysql', 'redis']) expect(below(below(services, service), 'ports')).toEqual([])
    // To this machine alone, unless the operator says otherwise: Docker's ports pass by the firewall of the host.
    expect(below(below(services, 'app'), 'ports')).toEqual([expect.stringContaining('{PUBLISH:-127.0.0.1}:')])
    expect(lines.join('\n')).not.toMatch(/privileged|cap_add|network_mode: host|pid: host|docker\.sock/)
    for (const source of names.flatMap(mounts)) expect(source).toMatch(/^[\w-]+:\//)
  })
})

describe('no service', () => {
  test('can gain rights, and the app has none to begin with and writes to its data alone', () => {
    for (const name of names) expect(below(services, name)).toContain('security_opt: [no-new-privileges:true]')
    expect(below(services, 'app')).toEqual(expect.arrayContaining(['cap_drop: [ALL]', 'read_only: true', 'tmpfs: /tmp']))
  })
})

describe('the Dockerfile', () => {
  const image = readFileSync(join(ROOT, 'Dockerfile'), 'utf8')
  const app = image.slice(image.indexOf(' AS app\n'))

  test('copies the scripts of every room: a process without one does not start', () => {
    const rooms = readdirSync(join(ROOT, 'lib')).filter((room) => existsSync(join(ROOT, 'lib', room, 'lua')))
    const copied = [...app.matchAll(/^COPY lib\/(\w+)\/lua lib\/\1\/lua$/gm)].map(([, room]) => room)
    expect(copied).toEqual(rooms.sort())
  })

  test('runs the server as a user who owns the volume of its data and nothing else, and looks after its health', () => {
    expect(app).toMatch(/^RUN install -d -o node -g node -m 700 \/data\nVOLUME \/data$/m)
    // Nothing is copied or run after it.
    expect(app.slice(app.indexOf('\nUSER node\n'))).not.toMatch(/^(RUN|COPY|ADD|USER root)\b/m)
    expect(app).not.toContain('--chown')
    expect(app).toMatch(/^HEALTHCHECK .*\\\n {2}CMD .*\/healthz/m)
    expect(image).not.toMatch(/^(ARG|ENV) .*(SECRET|PASSWORD|TOKEN)/m)
  })

  test('and the compose file start it alike, as the process that hears SIGTERM', () => {
    const [, words = ''] = /^CMD (\[.*\])$/m.exec(app) ?? []
    const command = (JSON.parse(words) as string[]).join(' ')
    expect(below(below(below(services, 'app'), 'command'), '- |').at(-1)).toBe(`exec ${command}`)
  })
})

describe('what makes the secrets', () => {
  const dir = mkdtempSync(join(tmpdir(), 'terse-compose-'))
  afterAll(() => rmSync(dir, { recursive: true, force: true }))
  const bin = join(dir, 'bin')
  const owners = join(dir, 'owners')
  for (const folder of ['bin', 'secrets', 'for/mysql', 'for/redis', 'for/app']) mkdirSync(join(dir, folder), { recursive: true })
  // Only root may give files away: what would be done is written down.
  writeFileSync(join(bin, 'chown'), `#!/bin/sh\necho "$@" >> ${owners}\n`, { mode: 0o755 })
  chmodSync(join(bin, 'chown'), 0o755)
  const script = below(below(below(services, 'secrets'), 'command'), '- |')
    .join('\n')
    .replaceAll('$$', '$')
  const run = () =>
    execFileSync('sh', ['-c', script.replaceAll(/(?<=[\s=>"])\/(secrets|for)\b/g, `${dir}/$1`)], {
      env: { ...process.env, PATH: `${bin}:${process.env.PATH}` },
    })
  const read = (path: string) => readFileSync(join(dir, path), 'utf8')
  const modes = (folder: string) =>
    execFileSync('stat', ['-c', '%a', ...readdirSync(join(dir, folder)).map((name) => join(dir, folder, name))])

  test('keeps those there are, and gives each container only what it needs, for its own user', () => {
    writeFileSync(join(dir, 'secrets/app'), 'made by an earlier release')
    run()
    expect(read('for/app/app')).toBe('made by an earlier release')
    expect(readdirSync(join(dir, 'for/mysql'))).toEqual(['mysql'])
    expect(readdirSync(join(dir, 'for/redis'))).toEqual(['redis'])
    expect(readdirSync(join(dir, 'for/app')).sort()).toEqual(['app', 'mysql', 'redis'])
    expect(read('for/app/mysql')).toBe(read('for/mysql/mysql'))
    expect(read('for/mysql/mysql')).toMatch(/^[\w-]{43}$/)
    expect(read('for/mysql/mysql')).not.toBe(read('for/redis/redis'))
    for (const folder of ['for/mysql', 'for/redis', 'for/app'])
      expect(String(modes(folder)).trim().split('\n')).toEqual(readdirSync(join(dir, folder)).map(() => '400'))
    expect(String(modes('secrets')).trim().split('\n')).toEqual(['600', '600', '600'])
    expect(readFileSync(owners, 'utf8')).toMatch(/^-R 999:999 .*\/for\/mysql$/m)
    expect(readFileSync(owners, 'utf8')).toMatch(/^-R 1000:1000 .*\/for\/app$/m)
  })

  test('changes nothing at the next start', () => {
    const before = ['mysql', 'redis', 'app'].map((name) => read(`for/app/${name}`))
    run()
    expect(['mysql', 'redis', 'app'].map((name) => read(`for/app/${name}`))).toEqual(before)
  })
})
