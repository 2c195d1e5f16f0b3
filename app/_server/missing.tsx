import { notFound } from 'next/navigation'
import NotFound from '@/app/not-found'
import { runtime } from '@/lib/runtime'

/**
 * A page that is not there. `notFound()` alone leaves it to scripts to write the page: what the server sends is blank. So this
 * writes it, and server.ts sends it with the status.
 */
export async function Missing() {
  const scope = (await runtime()).scope.getStore()
  // Next.js by itself: the status matters more.
  if (!scope) notFound()
  scope.status = 404
  return <NotFound />
}
