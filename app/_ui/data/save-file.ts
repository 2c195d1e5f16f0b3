import { failed } from '@/lib/forms/failure'
import { say } from '@/lib/i18n/message'
import { downloadFile } from './browser'
import { exchange, type Result } from './http'
import { write } from './words'

/** Millions of rows take a while to be written down. */
const TIMEOUT_MS = 600_000

interface Options {
  headers?: Record<string, string>
  /** Where the answer doesn’t say its own. */
  name?: string
}

/** Fetches a file that a plain link could not ask for, and saves it. */
export async function saveFile(path: string, { headers = {}, name }: Options = {}): Promise<Result<null>> {
  const answer = await exchange('GET', path, { headers, timeout: TIMEOUT_MS })
  if (!answer.ok) return answer
  const [, own = ''] = /filename="([^"]+)"/.exec(answer.value.headers.get('Content-Disposition') ?? '') ?? []
  try {
    downloadFile(name ?? own, await answer.value.blob())
    return { ok: true, value: null }
  } catch {
    return failed('network', write(say('forms.fileBroken')))
  }
}
