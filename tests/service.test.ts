import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { findProgram } from '@/scripts/lib/tools.mjs'
import { serviceUnit } from '@/scripts/lib/unit.mjs'
import { OF_THIS_RUN, ROOT } from './harness'

const analyse = findProgram(['systemd-analyze'])
const PLACE = { root: '/opt/terse', dataDir: '/var/lib/terse', node: process.execPath }

const linesOf = (unit: string) => unit.split('\n')

test('`npm run service` prints a unit for this folder and these settings', () => {
  const print = (env: Record<string, string>) =>
    execFileSync(process.execPath, [join(ROOT, 'scripts/service.mjs')], {
      env: { NODE_ENV: 'production', ...OF_THIS_RUN, ...env },
      encoding: 'utf8',
    })
  expect(linesOf(print({ DATA_DIR: '/var/lib/terse' }))).toEqual(
    expect.arrayContaining([
      `WorkingDirectory=${ROOT}`,
      'StateDirectory="terse"',
      `ExecStart="${process.execPath}" scripts/start.mjs`,
      'Environment=NO_INSTALL=1 "DATA_DIR=/var/lib/terse"',
      'ProtectSystem=strict',
      'User=terse',
      'NoNewPrivileges=yes',
      'KillMode=mixed',
      'WantedBy=multi-user.target',
    ]),
  )
  expect(linesOf(print({ DATA_DIR: 'data' }))).toContain(`ReadWritePaths="${join(ROOT, 'data')}"`)
})

test('a folder below /var/lib is quoted, and none can add a line', () => {
  expect(linesOf(serviceUnit({ ...PLACE, dataDir: '/var/lib/with blank%h' }))).toContain('StateDirectory="with blank%%h"')
  expect(() => serviceUnit({ ...PLACE, dataDir: '/srv/x\nExecStartPre=+/bin/sh' })).toThrow('no control characters')
})

test('what lies in a home folder can still be read', () => {
  expect(linesOf(serviceUnit(PLACE))).toContain('ProtectHome=yes')
  expect(linesOf(serviceUnit({ ...PLACE, root: '/home/mia/terse' }))).toContain('ProtectHome=read-only')
})

test.runIf(analyse)('systemd takes the unit, and rates it well', () => {
  const folder = mkdtempSync(join(tmpdir(), 'terse-unit-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'terse.service')
  for (const dataDir of ['/var/lib/terse', '/srv/with blank, 100 % "quoted" $HOME and \\']) {
    writeFileSync(file, serviceUnit({ ...PLACE, dataDir }))
    const verified = spawnSync(analyse ?? '', ['verify', file], { encoding: 'utf8' })
    expect([verified.status, verified.stdout + verified.stderr]).toEqual([0, ''])
    const security = ['security', '--offline=true', '--threshold=15', '--no-pager', file]
    expect(spawnSync(analyse ?? '', security, { encoding: 'utf8' }).status).toBe(0)
  }
})
