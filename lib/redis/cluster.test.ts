import { expect, it, onTestFinished } from 'vitest'
import { idScripts } from '@/lib/ids/scripts'
import { testCluster } from '@/lib/testing/cluster'
import { eventually } from '@/lib/testing/eventually'
import { connectRedis } from './gateway'
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
