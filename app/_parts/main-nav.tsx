import Link from 'next/link'
import { accountPreferences, accountSettings, currentAccount } from '@/app/_server/account'
import { getTranslations } from '@/app/_server/locale'
import { ProvideMessages } from '@/app/_server/messages'
import { type AppPage, adminPages, dashboardPages, settingsPages } from '@/app/_server/pages'
import { pageScheme } from '@/app/_server/scheme'
import { LinkButton } from '@/app/_ui/base/button'
import type { Account } from '@/lib/actor'
import { isTerseError } from '@/lib/errors'
import { SignedInNav } from './signed-in-nav'

const linkClass =
  'inline-flex h-11 items-center rounded-control px-1.5 text-sm font-medium whitespace-nowrap text-muted hover:text-fg min-[440px]:px-3 min-[440px]:text-[15px] sm:h-10'

/** The ways that each page offers, by who asks for it. */
export async function MainNav() {
  const t = await getTranslations('base')
  const [account, { signUp }] = await Promise.all([accountIfKnown(), accountSettings()])
  return (
    <nav aria-label={t('header.label')} className="-mr-2 flex min-w-0 items-center gap-0.5 sm:-mr-3 sm:gap-1">
      <Link href="/docs" className={`${linkClass} max-[439px]:hidden`}>
        {t('header.api')}
      </Link>
      {account === undefined ? null : account === null ? (
        <>
          <Link href="/sign-in" prefetch={false} className={linkClass}>
            {t('header.signIn')}
          </Link>
          {signUp === 'open' && (
            <LinkButton href="/sign-up" prefetch={false} size="small" className="mr-2 max-[439px]:px-2 sm:mr-3">
              {t('header.signUp')}
            </LinkButton>
          )}
        </>
      ) : (
        <ProvideMessages of={['commands']}>
          <SignedInNav
            account={{ name: account.name, handle: account.handle, admin: account.role === 'admin' }}
            scheme={await pageScheme()}
            pages={await pagesOf(account)}
            singleKeys={await singleKeysOf(account)}
          />
        </ProvideMessages>
      )}
    </nav>
  )
}

/** Where who is signed in can go. */
async function pagesOf({ role }: Account): Promise<AppPage[]> {
  const t = await getTranslations('base')
  const admin = role === 'admin' ? await adminPages() : []
  const settings = await settingsPages()
  // The settings are there page by page.
  const dashboard = (await dashboardPages()).filter(({ href }) => settings.every((page) => page.href !== href))
  return [
    ...dashboard,
    ...settings,
    ...admin,
    { href: '/', label: t('shorten'), words: '' },
    { href: '/docs', label: t('header.api'), words: '' },
  ]
}

/** null as well while the database is out of reach. */
async function singleKeysOf({ id }: Account): Promise<boolean | null> {
  try {
    return (await accountPreferences(id)).singleKeys
  } catch (error) {
    if (isTerseError(error) && error.code === 'unavailable') return null
    throw error
  }
}

/** undefined while the database is out of reach: a page that needs no account is shown all the same. */
async function accountIfKnown() {
  try {
    return await currentAccount()
  } catch (error) {
    if (isTerseError(error) && error.code === 'unavailable') return undefined
    throw error
  }
}
