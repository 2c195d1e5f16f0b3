import { headers } from 'next/headers'
import { notFound, redirect } from 'next/navigation'
import { cache } from 'react'
import { cookieName, readCookies } from '@/lib/accounts/cookies'
import { identifyByCookie } from '@/lib/accounts/identify'
import { preferencesOf } from '@/lib/accounts/preferences'
import type { AccountSettings, AccountView, PreferencesView } from '@/lib/accounts/schemas'
import { viewAccount } from '@/lib/accounts/view'
import type { Account } from '@/lib/actor'
import { isTerseError } from '@/lib/errors'
import { runtime } from '@/lib/runtime'

/**
 * The account whose session this page was asked for with, or null. A banned account has none. Pages only decide by it
 * what to show: every route of the API decides for itself.
 */
export const currentAccount = cache(async (): Promise<Account | null> => {
  try {
    const { actor } = await identifyByCookie(await runtime(), await headers())
    return actor.account
  } catch (error) {
    if (isTerseError(error) && error.code === 'forbidden') return null
    throw error
  }
})

/** The account, or off to the sign-in page and then back to `path`. */
export async function requireAccount(path: string): Promise<Account> {
  const account = await currentAccount()
  if (account === null) redirect(`/sign-in?next=${encodeURIComponent(path)}`)
  return account
}

/** As `requireAccount`; to those who are no admins there is no such page. */
export async function requireAdmin(path: string): Promise<Account> {
  const account = await requireAccount(path)
  if (account.role !== 'admin') notFound()
  return account
}

/** What an account chose for the app. */
export const accountPreferences = cache(async (id: string): Promise<PreferencesView> => preferencesOf(await runtime(), id))

/** All that its owner sees of the account, or off to the sign-in page and then back to `path`. */
export async function accountView(path: string): Promise<AccountView> {
  const { id } = await requireAccount(path)
  return viewAccount(await runtime(), id)
}

/** Whether this browser comes from a link that has just confirmed an address. */
export async function hasConfirmed(): Promise<boolean> {
  const { config } = await runtime()
  return readCookies((await headers()).get('cookie')).has(cookieName(config, 'confirmed'))
}

/** What the sign-in pages need to know of the settings. */
export async function accountSettings(): Promise<AccountSettings> {
  const { config } = await runtime()
  return { signUp: config.SIGN_UP, mail: config.SMTP_URL !== undefined, oidc: config.OIDC_ISSUER ? config.OIDC_NAME : null }
}
