import { sentForm } from '@/app/_server/form'
import { Notice } from '@/app/_ui/base/notice'

/** Says why a form that was sent without scripts could not be read, where no form of the page can say it. */
export async function SentProblem() {
  const sent = await sentForm()
  if (!sent || sent.form !== null || sent.problem === null) return null
  return (
    <div className="pt-4">
      <Notice>{sent.problem}</Notice>
    </div>
  )
}
