/** Written for each request, as every page of the app is. */
export const dynamic = 'force-dynamic'

export default function Page() {
  return <h1>Empty</h1>
}
