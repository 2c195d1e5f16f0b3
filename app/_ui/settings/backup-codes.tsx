import { Download } from 'lucide-react'
import { Button } from '@/app/_ui/base/button'
import { CopyButton } from '@/app/_ui/base/copy-button'
import { Dialog } from '@/app/_ui/base/dialog'
import { downloadFile } from '@/app/_ui/data/browser'

/** The codes for when the phone is lost: shown this once. */
export function BackupCodesDialog({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const text = `${codes.join('\n')}\n`
  return (
    <Dialog
      title="Keep these backup codes"
      description="Each signs you in once, when your phone is not at hand. They are not shown again."
      onClose={onClose}
    >
      <ul
        aria-label="Backup codes"
        className="grid grid-cols-2 gap-x-6 gap-y-1.5 rounded-control border border-line bg-bg p-4 font-mono text-sm"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="mt-5 flex flex-col gap-3 sm:flex-row">
        <CopyButton text={text} name="the backup codes" />
        <Button onClick={() => downloadFile('terse-backup-codes.txt', new Blob([text], { type: 'text/plain' }))}>
          <Download aria-hidden="true" className="size-[18px]" />
          Download
        </Button>
        <Button className="sm:ml-auto" onClick={onClose}>
          I have kept them
        </Button>
      </div>
    </Dialog>
  )
}
