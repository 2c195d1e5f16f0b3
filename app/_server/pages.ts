import { getTranslations } from '@/app/_server/locale'

/** A page of the app, and which part of it that is in where its name alone does not say. */
export interface AppPage {
  href: string
  label: string
  part?: string
  /** What else one may look for it by. */
  words: string
}

const DASHBOARD = ['links', 'overview', 'series', 'settings'] as const

/** The pages of an account. */
export async function dashboardPages(): Promise<AppPage[]> {
  const t = await getTranslations('dashboard')
  const words = await getTranslations('pageWords')
  return DASHBOARD.map((page) => ({
    href: page === 'links' ? '/dashboard' : `/dashboard/${page}`,
    label: t(`nav.${page}`),
    words: words(`dashboard.${page}`),
  }))
}

const SETTINGS = ['profile', 'security', 'keys', 'webhooks', 'tools', 'data'] as const

/** The pages of the settings. */
export async function settingsPages(): Promise<AppPage[]> {
  const t = await getTranslations('settings')
  const words = await getTranslations('pageWords')
  return SETTINGS.map((page) => ({
    href: page === 'profile' ? '/dashboard/settings' : `/dashboard/settings/${page}`,
    label: t(`nav.${page}`),
    part: t('title'),
    words: words(`settings.${page}`),
  }))
}

const ADMIN = ['overview', 'links', 'accounts', 'reports', 'blocklist', 'domains', 'system', 'audit', 'setup'] as const

/** The pages of admins. */
export async function adminPages(): Promise<AppPage[]> {
  const t = await getTranslations('admin')
  const words = await getTranslations('pageWords')
  return ADMIN.map((page) => ({
    href: page === 'overview' ? '/admin' : `/admin/${page}`,
    label: t(`page.${page}`),
    part: t('label'),
    words: words(`admin.${page}`),
  }))
}
