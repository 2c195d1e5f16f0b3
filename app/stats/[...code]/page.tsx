import type { Metadata } from 'next'
import { currentAccount } from '@/app/_server/account'
import { baseUrl } from '@/app/_server/base-url'
import { getTranslations } from '@/app/_server/locale'
import { ProvideMessages } from '@/app/_server/messages'
import { Missing } from '@/app/_server/missing'
import { oneOf, type SearchParams } from '@/app/_server/query'
import { readFirst } from '@/app/stats/_parts/read-first'
import { StatsPage } from '@/app/stats/_parts/stats-page'
import { worldShapes } from '@/app/stats/_parts/world'
import { isCodeShaped, normalCode } from '@/lib/codes/custom'
import { isTerseError } from '@/lib/errors'
import { isOfAccount, type LinkAddress } from '@/lib/links/find'
import { normaliseHost } from '@/lib/net/host'
import { runtime } from '@/lib/runtime'

interface Props {
  params: Promise<{ code: string[] }>
  searchParams: SearchParams
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const code = codeOf((await params).code)
  const t = await getTranslations('stats')
  // The title only says what the address says already; whose statistics these are is for the key to open.
  return { title: code === null ? t('page.unknown') : t('page.title', { code }), robots: { index: false, follow: false } }
}

export default async function LinkStatsPage({ params, searchParams }: Props) {
  const code = codeOf((await params).code)
  if (code === null) return <Missing />
  const asked = await searchParams
  const { domain } = asked
  const given = typeof domain === 'string' && domain !== '' ? domain : new URL(await baseUrl()).host
  const address = await addressOf(code, normaliseHost(given))
  const [account, ofAccount] = await Promise.all([currentAccount(), isOwned(address)])
  const query = new URLSearchParams(Object.entries(asked).map(([name, value]) => [name, oneOf(value) ?? '']))
  const first = account && ofAccount ? await readFirst(account, address, query) : null
  return (
    <ProvideMessages of={['saved', 'stats']}>
      <StatsPage {...address} signedIn={account !== null} ofAccount={ofAccount} first={first} world={worldShapes()} />
    </ProvideMessages>
  )
}

/** The link by the name that it is kept under: by that the browser knows its keys. */
async function addressOf(code: string, domain: string): Promise<{ code: string; domain: string }> {
  const { domains } = await runtime()
  return { code: domains.codeOn(domain, code), domain }
}

/** While MySQL is away nothing is known, and nothing would open. */
async function isOwned(address: LinkAddress): Promise<boolean> {
  try {
    return await isOfAccount(await runtime(), address)
  } catch (error) {
    if (isTerseError(error) && error.code === 'unavailable') return false
    throw error
  }
}

/** The code that the path names, in NFC as codes are kept; null when it cannot be one. */
function codeOf(segments: string[]): string | null {
  try {
    const code = normalCode(segments.map(decodeURIComponent).join('/'))
    return isCodeShaped(code) ? code : null
  } catch {
    return null
  }
}
