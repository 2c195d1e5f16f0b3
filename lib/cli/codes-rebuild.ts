import { filterSettings } from '@/lib/codes/rebuild'
import { openRedirects } from '@/lib/command-runtime'
import { type Config, readConfig } from '@/lib/config'
import { DatabaseGateway } from '@/lib/db/gateway'
import { errorWords } from '@/lib/log'
import { rebuildCodes } from '@/lib/redirect/trust'

const WIDTH = 40

/** `npm run codes:rebuild`: rebuilds the Bloom filter from MySQL while the app runs. */
async function main(): Promise<void> {
  const config: Config = { ...readConfig(), LOG_LEVEL: 'silent' }
  const runtime = await openRedirects(config, new DatabaseGateway(config.DATABASE_URL, 4))
  const stores = { ...runtime, settings: filterSettings(config) }
  const { done } = await rebuildCodes(stores, showProgress, sayOnce('Another process is working on the filter. Waiting for it.'))
  process.stdout.write(`\n${done.toLocaleString('en')} codes are in the filter.\n`)
  await runtime.close()
}

function sayOnce(text: string): () => void {
  let said = false
  return () => {
    if (!said) console.error(text)
    said = true
  }
}

function showProgress({ done, total }: { done: number; total: number }): void {
  if (!process.stdout.isTTY) return
  const share = total === 0 ? 1 : Math.min(1, done / total)
  const bar = '█'.repeat(Math.round(share * WIDTH)).padEnd(WIDTH, '░')
  process.stdout.write(
    `\r${bar} ${Math.round(share * 100)} %  ${done.toLocaleString('en')} of ${total.toLocaleString('en')} codes`,
  )
}

main().catch((error: unknown) => {
  console.error(`codes:rebuild: ${errorWords(error)}. Run it again to continue where it stopped.`)
  process.exit(1)
})
