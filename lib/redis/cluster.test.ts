import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { idScripts } from '@/lib/ids/scripts'
import { testCluster } from '@/lib/testing/cluster'
import { eventually } from '@/lib/testing/eventually'
import { uncaughtErrors } from '@/lib/testing/uncaught'
import { connectRedis, RedisGateway } from './gateway'
import { runScript } from './scripts'

it('a script is answered that a process runs for the first time, and so are the commands beside it', async () => {
  const { url } = await testCluster()
  const client = connectRedis(url)
  onTestFinished(() => client.disconnect())
  await eventually(() => expect(client.status).toBe('ready'))
  await client.set('{handles}:beside', 'here')
  // All of one turn of the event loop, and of one node.
  const answers = await Promise.all([
    client.get('{handles}:beside'),
    runScript(client, idScripts.isWhole, ['{handles}:about'], []),
    client.get('{handles}:beside'),
  ])
  expect(answers).toEqual(['here', 0, 'here'])
})

/** Speaks enough of the protocol to pass for a cluster of one node, and sends every read elsewhere. */
async function movingCluster(target: string): Promise<string> {
  const bulk = (text: string) => `$${Buffer.byteLength(text)}\r\n${text}\r\n`
  const server = createServer((client) => {
    client.on('error', () => {})
    client.on('data', (bytes) => {
      for (const command of bytes.toString('latin1').split(/(?=\*\d+\r\n)/)) {
        const words = [...command.matchAll(/\$\d+\r\n([^\r\n]*)\r\n/g)].map(([, word = '']) => word.toLowerCase())
        if (words.length > 0) client.write(answer(words[0] ?? '', words[1] ?? ''))
      }
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const answer = (name: string, part: string) => {
    if (name === 'hello') return `%3\r\n${bulk('server')}${bulk('redis')}${bulk('version')}${bulk('7.2.0')}${bulk('proto')}:3\r\n`
    if (name === 'info') return bulk('redis_version:7.2.0\r\nrole:master\r\nloading:0\r\ncluster_enabled:1\r\n')
    if (name === 'cluster' && part === 'slots')
      return `*1\r\n*3\r\n:0\r\n:16383\r\n*3\r\n${bulk('127.0.0.1')}:${port}\r\n${bulk('a'.repeat(40))}`
    if (name === 'cluster') return bulk('cluster_state:ok\r\n')
    if (name === 'get') return `-ASK 15495 ${target}\r\n`
    return '+OK\r\n'
  }
  return `redis://127.0.0.1:${port},redis://127.0.0.1:${port}`
}

it('a key that moves to a node that cannot be reached is an error of the command, and ends no process', async () => {
  const uncaught = uncaughtErrors()
  const redis = new RedisGateway(await movingCluster('127.0.0.1:1'))
  onTestFinished(() => redis.close())
  expect(await redis.connected(5_000)).toBe(true)
  await expect(redis.use((client) => client.get('a'), 2_000)).rejects.toThrow()
  // What nobody catches is told at the end of a turn.
  await setImmediate()
  expect(uncaught).toEqual([])
})
