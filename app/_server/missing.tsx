import { notFound } from 'next/navigation'
import type { ReactNode } from 'react'
import NotFound from '@/app/not-found'
import { runtime } from '@/lib/runtime'

/**
 * A page that is not there. `notFound()` alone leaves it to scripts to write the page: what the server sends is blank. So this
 * writes it, and server.ts sends it with the status.
 * @param action where to go from here, but for the front page
 */
export async function Missing({ action }: { action?: ReactNode }) {
  const scope = (await runtime()).scope.getStore()
  // Next.js by itself: the status matters more.
  if (!scope) notFound()
  scope.status = 404
  return <NotFound action={action} />
}
