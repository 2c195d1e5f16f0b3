import path from 'node:path'
import { run } from './processes.mjs'
import { ensureTools } from './tools.mjs'

/**
 * Makes an authority and a certificate that it issued for a server on this machine, by its address: for tests.
 *
 * @param {string} folder where to
 * @param {AbortSignal} [signal]
 * @param {string[]} [hosts] names that the server has besides
 * @returns {Promise<{ ca: string, cert: string, key: string }>} files in PEM
 */
export async function makeCertificates(folder, signal, hosts = []) {
  const { openssl } = await ensureTools(['openssl'], signal)
  const [ca, caKey, cert, key] = ['ca.pem', 'ca-key.pem', 'cert.pem', 'key.pem'].map((name) => path.join(folder, name))
  if (!ca || !caKey || !cert || !key) throw new Error('unreachable')
  const common = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '30']
  await run(openssl, [...common, '-subj', '/CN=Terse tests', '-keyout', caKey, '-out', ca], { signal })
  const others = hosts.map((host) => `,DNS:${host}`).join('')
  const names = ['-addext', `subjectAltName=IP:127.0.0.1${others}`, '-addext', 'basicConstraints=critical,CA:FALSE']
  const issued = ['-CA', ca, '-CAkey', caKey, '-subj', '/CN=a server', ...names, '-keyout', key, '-out', cert]
  await run(openssl, [...common, ...issued], { signal })
  return { ca, cert, key }
}
