import { resolveTxt } from 'node:dns/promises'
import { TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import { fetchPublic } from '@/lib/net/fetch'
import { HOSTS_FILE } from '@/lib/net/resolve'
import { keyedHash } from '@/lib/tools/hash'
import { withTimeout } from '@/lib/tools/timeout'

/** Where the file that proves a domain to be ours lies; app/.well-known serves it. */
export const PROOF_PATH = '/.well-known/terse-verification'
/** How long a domain's owner may take to prove it, in ms. */
const PATIENCE = 3_000
const MAX_FILE = 4_096

/** How the proof is looked for; tests bring their own. */
export interface ProofSources {
  /** The TXT records of a name, each put together. */
  txt(name: string): Promise<string[]>
  file(url: URL): Promise<string>
}

const THE_INTERNET: ProofSources = {
  txt: async (name) => (await withTimeout(resolveTxt(name), PATIENCE, 'DNS')).map((parts) => parts.join('')),
  file: (url) => fetchPublic(url, { signal: AbortSignal.timeout(PATIENCE), maxBytes: MAX_FILE, hostsFile: HOSTS_FILE }),
}

/** What a file or a TXT record must say. Nobody can make it up, and it stays the same. */
export function proofOf(secret: string, host: string): string {
  return `terse-verification=${keyedHash(secret, `domain:${host}`).toString('base64url')}`
}

/**
 * Looks for the proof that a domain is ours, in the DNS and on the domain itself.
 * @throws TerseError 'conflict' when there is none, with what was found
 */
export async function requireProof(host: string, proof: string, sources = THE_INTERNET): Promise<void> {
  const [txt, file] = await Promise.allSettled([
    sources.txt(`_terse.${host}`),
    sources.file(new URL(PROOF_PATH, `http://${host}`)),
  ])
  if (txt.status === 'fulfilled' && txt.value.includes(proof)) return
  if (file.status === 'fulfilled' && file.value.trim() === proof) return
  const found = { txt: txt.status, file: file.status, txtReason: reasonOf(txt), fileReason: reasonOf(file) }
  throw new TerseError('conflict', say('api.domain.noProof', found))
}

/** Only what a resolver or a connection says of itself: a code, or our own words. */
function reasonOf(found: PromiseSettledResult<unknown>): string {
  if (found.status === 'fulfilled') return ''
  const { code, name, message } = found.reason as NodeJS.ErrnoException
  if (name === 'PrivateAddressError' || /^it answered \d+$/.test(message)) return message
  return code ?? 'no answer'
}
