import { getTranslations } from '@/app/_server/locale'

/** A page of the app, and which part of it that is in where its name alone does not say. */
export interface AppPage {
  href: string
  label: string
  part?: string
}

/** The pages of an account. */
export async function dashboardPages(): Promise<AppPage[]> {
  const t = await getTranslations('dashboard')
  return [
    { href: '/dashboard', label: t('nav.links') },
    { href: '/dashboard/overview', label: t('nav.overview') },
    { href: '/dashboard/settings', label: t('nav.settings') },
  ]
}

const SETTINGS = ['profile', 'security', 'keys', 'tools', 'data'] as const

/** The pages of the settings. */
export async function settingsPages(): Promise<AppPage[]> {
  const t = await getTranslations('settings')
  return SETTINGS.map((page) => ({
    href: page === 'profile' ? '/dashboard/settings' : `/dashboard/settings/${page}`,
    label: t(`nav.${page}`),
    part: t('title'),
  }))
}

const ADMIN = ['overview', 'links', 'accounts', 'reports', 'blocklist', 'domains', 'system', 'audit', 'setup'] as const

/** The pages of admins. */
export async function adminPages(): Promise<AppPage[]> {
  const t = await getTranslations('admin')
  return ADMIN.map((page) => ({
    href: page === 'overview' ? '/admin' : `/admin/${page}`,
    label: t(`page.${page}`),
    part: t('label'),
  }))
}
