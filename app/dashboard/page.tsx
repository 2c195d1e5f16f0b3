import type { Metadata } from 'next'
import { cookies } from 'next/headers'
import { accountPreferences, requireAccount } from '@/app/_server/account'
import { shortHosts } from '@/app/_server/hosts'
import { getTranslations } from '@/app/_server/locale'
import { ProvideMessages } from '@/app/_server/messages'
import { oneOf, type SearchParams, withQuery } from '@/app/_server/query'
import { WithoutScripts } from '@/app/_ui/base/without-scripts'
import { OwnLinks } from '@/app/dashboard/_parts/own-links'
import type { PreferencesView } from '@/lib/accounts/schemas'
import { LOOK_COOKIE, parseLook } from '@/lib/links/look'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('dashboard')
  return { title: t('links.title') }
}

export default async function DashboardPage({ searchParams }: { searchParams: SearchParams }) {
  const { id } = await requireAccount(withQuery('/dashboard', await searchParams))
  const preferences = await accountPreferences(id)
  // That of a view, in its link; else the account's; else that of a browser that has not handed it on yet.
  const asked = oneOf((await searchParams).look)
  const kept = preferences.look ?? parseLook((await cookies()).get(LOOK_COOKIE)?.value)
  return (
    <ProvideMessages of={['claim', 'dashboard', 'linkList', 'links', 'saved', 'spoken']}>
      <ViewLinks views={preferences.views} />
      <OwnLinks hosts={await shortHosts()} preferences={preferences} look={asked === undefined ? kept : parseLook(asked)} />
    </ProvideMessages>
  )
}

/** The saved views, for where no scripts run. */
async function ViewLinks({ views }: Pick<PreferencesView, 'views'>) {
  const t = await getTranslations('dashboard')
  if (views.length === 0) return null
  return (
    <WithoutScripts>
      <nav aria-label={t('views.list')} className="mb-4">
        <ul className="flex flex-wrap gap-x-5">
          {views.map(({ name, query }) => (
            <li key={name}>
              <a
                href={`/dashboard?${query}`}
                className="inline-flex min-h-11 items-center text-accent underline underline-offset-4"
              >
                <bdi>{name}</bdi>
              </a>
            </li>
          ))}
        </ul>
      </nav>
    </WithoutScripts>
  )
}
