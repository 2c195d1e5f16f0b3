import { once } from 'node:events'
import { createServer, request } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { type FileForm, letGo, readFileForm } from './file-form'

const BOUNDARY = 'of-a-test'
const field = (name: string, value: string) =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
const fileHead = (name: string) =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: text/csv\r\n\r\n`
const END = `\r\n--${BOUNDARY}--\r\n`

/** A server that reads one form, and a request to it. */
async function sent(read: (form: Awaited<ReturnType<typeof readFileForm>>) => Promise<unknown>) {
  let settle = (_: unknown) => {}
  const outcome = new Promise<unknown>((resolve) => {
    settle = resolve
  })
  const server = createServer((incoming, response) => {
    let form: FileForm | null = null
    readFileForm(incoming)
      .then((sent) => {
        form = sent
        return read(sent)
      })
      .then(settle, (error) => settle(`${error.code}`))
      .finally(async () => {
        await letGo(incoming, form)
        response.end('answered')
      })
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const headers = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` }
  const client = request({ port, method: 'POST', path: '/', headers })
  client.on('error', () => {})
  return { port, client, outcome }
}

async function textOf(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of bytes) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

it('a file is read as it comes, with the fields before it', async () => {
  const { client, outcome } = await sent(async ({ data, file }) => ({
    form: data.get('form'),
    name: file?.name,
    text: file && (await textOf(file.bytes)),
  }))
  client.end(`${field('form', 'import')}${fileHead('list.csv')}url\nhttps://example.com/\n${END}`)
  expect(await outcome).toEqual({ form: 'import', name: 'list.csv', text: 'url\nhttps://example.com/\n' })
})

it('no file was chosen where the browser sends one without a name', async () => {
  const { client, outcome } = await sent(async ({ data, file }) => [data.get('form'), file])
  client.end(`${field('form', 'import')}${fileHead('')}${END}`)
  expect(await outcome).toEqual(['import', null])
})

it('what nobody reads of a file is let go, and the browser gets its answer', async () => {
  const { port, outcome } = await sent(async ({ file }) => {
    for await (const _ of file?.bytes.iterator({ destroyOnReturn: false }) ?? []) break
    return 'refused'
  })
  const pieces = [`${field('form', 'import')}${fileHead('list.csv')}`, ...Array<string>(256).fill('x'.repeat(65_536)), END]
  const size = pieces.reduce((sum, piece) => sum + piece.length, 0)
  const socket = connect(port, '127.0.0.1')
  const type = `Content-Type: multipart/form-data; boundary=${BOUNDARY}`
  socket.write(`POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${type}\r\nContent-Length: ${size}\r\n\r\n`)
  const answer = textOf(socket)
  for (const piece of pieces) if (!socket.write(piece)) await once(socket, 'drain')
  expect(await outcome).toBe('refused')
  expect(await answer).toContain('answered')
})

it('one that is cut off, or has no parts, is refused', async () => {
  const cut = await sent(async ({ file }) => {
    cut.client.destroy()
    return file && textOf(file.bytes)
  })
  cut.client.write(`${field('form', 'import')}${fileHead('list.csv')}url\n`)
  expect(await cut.outcome).toBe('bad_request')
  const none = await sent(async () => 'read')
  none.client.end('nothing of the kind')
  expect(await none.outcome).toBe('bad_request')
})
