import { invalidField } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import { stripEnd } from '@/lib/tools/strip'
import { codeOfNobody } from './catch-all'
import type { UpstreamInput } from './schemas'
import type { Upstreams } from './upstreams'

/**
 * An old shortener as it is kept. It is asked once for a code that nobody has: what leads nowhere, or back to us, is refused
 * here, where somebody can mend it.
 * @param home the front page of the domain, as visitors have it
 * @throws TerseError 'validation_failed'
 */
export async function checkUpstream(
  upstreams: Pick<Upstreams, 'fetch'>,
  isOwn: (href: string) => boolean,
  home: string,
  { url, host }: UpstreamInput,
): Promise<{ url: string; host: string | null }> {
  const { href, search, hash } = new URL(url)
  if (search !== '' || hash !== '') throw invalidField('upstream.url', say('api.upstream.query'))
  if (isOwn(href)) throw invalidField('upstream.url', say('api.upstream.own'))
  const kept = { url: stripEnd(href, '/'), host: host?.toLowerCase() || null }
  const said = await upstreams.fetch({ ...kept, ownerId: null }, new URL(`/${codeOfNobody()}`, home))
  if (said.kind === 'failed') throw invalidField('upstream.url', say(`api.upstream.${said.why}`))
  return kept
}
