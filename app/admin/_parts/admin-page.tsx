import type { Metadata } from 'next'
import { type ComponentType, Suspense } from 'react'
import { requireAdmin } from '@/app/_server/account'
import { getTranslations } from '@/app/_server/locale'
import type { Messages } from '@/lib/i18n/catalogue'

type Name = keyof Messages['admin']['page']

const pathOf = (name: Name) => (name === 'overview' ? '/admin' : `/admin/${name}`)

/** A page for admins. */
export const adminPage = (name: Name, Page: ComponentType) =>
  async function AdminPage() {
    await requireAdmin(pathOf(name))
    return (
      // The address's query is known to the browser only.
      <Suspense>
        <Page />
      </Suspense>
    )
  }

/** What such a page says of itself. */
export const adminMetadata = (name: Name) =>
  async function generateMetadata(): Promise<Metadata> {
    const t = await getTranslations('admin')
    return { title: t(`page.${name}`) }
  }
