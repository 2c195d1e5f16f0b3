import { deadLetters, revive } from '@/lib/clicks/dead-letters'
import { openRedirects } from '@/lib/command-runtime'
import { readConfig } from '@/lib/config'
import { SqlGateway } from '@/lib/db/sql-gateway'
import { errorWords } from '@/lib/log'

/** `npm run clicks:dead`: lists the clicks that could not be counted; `-- --retry` tries them again. */
async function main(): Promise<void> {
  const retry = process.argv.includes('--retry')
  const config = readConfig()
  const { redis, close } = await openRedirects(config, new SqlGateway(config.DATABASE_URL, 1))
  let count = 0
  for await (const letter of deadLetters(redis)) {
    count += 1
    const since = new Date(Number.parseInt(letter.id, 10)).toISOString()
    process.stdout.write(`${since}  partition ${letter.partition}  batch ${letter.fields[0] || '(none)'}  ${letter.reason}\n`)
    if (retry) await revive(redis, letter)
  }
  process.stdout.write(`Failed batches: ${count.toLocaleString('en')}${retry && count > 0 ? '. Trying them again' : ''}.\n`)
  await close()
}

main().catch((error: unknown) => {
  console.error(`clicks:dead: ${errorWords(error)}`)
  process.exit(1)
})
