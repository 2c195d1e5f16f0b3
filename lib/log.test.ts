import { expect, it } from 'vitest'
import { createLog } from './log'

it.runIf(process.platform === 'linux')('a log on a full disk is no error', async () => {
  const errors: unknown[] = []
  const note = (error: unknown) => errors.push(error)
  process.on('uncaughtException', note)
  const log = createLog('info', '/dev/full')
  for (let i = 0; i < 3; i++) {
    log.info('this cannot be written')
    await new Promise(setImmediate)
  }
  process.off('uncaughtException', note)
  expect(errors).toEqual([])
})
