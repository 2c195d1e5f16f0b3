import type { Metadata } from 'next'
import { requireAccount } from '@/app/_server/account'
import { shortHosts } from '@/app/_server/hosts'
import { getTranslations } from '@/app/_server/locale'
import { ProvideMessages } from '@/app/_server/messages'
import { oneOf, type SearchParams, withQuery } from '@/app/_server/query'
import { readFirstOfScope } from './_parts/read-first'
import { ScopePage } from './_parts/scope-page'
import { SharedPage } from './_parts/shared-page'
import { worldShapes } from './_parts/world'

interface Props {
  searchParams: SearchParams
}

export async function generateMetadata({ searchParams }: Props): Promise<Metadata> {
  const t = await getTranslations('stats')
  const asked = await searchParams
  // Anyone with the link can see it, so search engines must not list it, nor other sites learn of it.
  if (oneOf(asked.share) !== undefined) {
    return { title: t('share.pageTitle'), robots: { index: false, follow: false }, referrer: 'no-referrer' }
  }
  const { tag, folder, domain } = scopeOf(asked)
  return { title: t('page.title', { code: tag ?? folder ?? domain ?? t('scope.all') }), robots: { index: false, follow: false } }
}

/** Statistics of the links of an account: of all, or of those with a tag, in a folder, or on a domain; or what someone shared. */
export default async function ScopeStatsPage({ searchParams }: Props) {
  const asked = await searchParams
  const token = oneOf(asked.share)
  if (token !== undefined) {
    return (
      <ProvideMessages of={['saved', 'stats']}>
        <SharedPage token={token} world={worldShapes()} />
      </ProvideMessages>
    )
  }
  const account = await requireAccount(withQuery('/stats', asked))
  const query = new URLSearchParams(Object.entries(asked).map(([name, value]) => [name, oneOf(value) ?? '']))
  const [first, hosts] = await Promise.all([readFirstOfScope(account, query), shortHosts()])
  return (
    <ProvideMessages of={['saved', 'stats']}>
      <ScopePage scope={scopeOf(asked)} hosts={hosts.map(({ domain }) => domain)} first={first} world={worldShapes()} />
    </ProvideMessages>
  )
}

/** Names that are empty, or several, are left to the API to refuse. */
const scopeOf = (asked: Awaited<SearchParams>) =>
  Object.fromEntries(
    (['tag', 'folder', 'domain'] as const).flatMap((name) => {
      const value = oneOf(asked[name])
      return value === undefined ? [] : [[name, value]]
    }),
  ) as { tag?: string; folder?: string; domain?: string }
