import { type ComponentType, Suspense } from 'react'
import { requireAdmin } from '@/app/_server/account'

/** A page under `path`, for admins. */
export const adminPage = (path: string, Page: ComponentType) =>
  async function AdminPage() {
    await requireAdmin(path)
    return (
      // The address's query is known to the browser only.
      <Suspense>
        <Page />
      </Suspense>
    )
  }
