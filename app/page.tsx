import { currentAccount } from '@/app/_server/account'
import { unicodeHost } from '@/app/_ui/data/idn'
import { Home } from '@/app/_ui/shorten/home'
import { baseUrl } from '@/app/_ui/site'

export default async function FrontPage() {
  const { host } = new URL(await baseUrl())
  return (
    <div className="mx-auto max-w-2xl pt-10 sm:pt-20">
      <h1 className="mb-6 text-3xl font-semibold tracking-tight text-balance sm:text-4xl">Make a long link short</h1>
      <noscript>
        <p className="mb-6 rounded-control bg-warn-soft p-4 text-sm text-warn">
          This page needs JavaScript to make links. The <a href="/docs">API</a> works without.
        </p>
      </noscript>
      <Home host={unicodeHost(host)} signedIn={(await currentAccount()) !== null} />
    </div>
  )
}
