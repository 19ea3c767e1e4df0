import { channelUrlFault } from '../../../src/usecase/catalog/channel-url';

const NEVER = 'must not point at a link-local, metadata, multicast or unspecified address';
const PRIVATE =
  'must not point at a loopback or private address, unless the operator allows private channel URLs';

describe('a channel’s base URL', () => {
  it.each([
    'https://api.openai.com/v1',
    'http://gateway.example.com:8080/openai/',
    'https://8.8.8.8/v1',
    'https://172.32.0.1',
    'https://100.128.0.1',
    'https://[2001:4860:4860::8888]/v1',
    'https://[::ffff:8.8.8.8]/v1',
  ])('%s may be anywhere public', (url) => {
    expect(channelUrlFault(url, 'refused')).toBeNull();
  });

  it.each([
    'http://localhost:11434/v1',
    'http://LOCALHOST./v1',
    'http://models.localhost',
    'http://ollama:11434',
    'http://box.local',
    'http://vllm.svc.internal',
    'http://127.0.0.1',
    'http://127.255.255.254',
    'http://2130706433',
    'http://0x7f.1',
    'http://0177.0.0.1',
    'http://10.0.0.1',
    'http://172.16.0.1',
    'http://172.31.255.255',
    'http://192.168.1.1',
    'http://100.64.0.1',
    'http://[::1]',
    'http://[::ffff:127.0.0.1]',
    'http://[64:ff9b::10.0.0.1]',
    'http://[2002:7f00:1::]',
    'http://[::10.0.0.1]',
    'http://[fc00::1]',
    'http://[fd12:3456::1]',
  ])('%s is private: refused, unless the operator allows it', (url) => {
    expect(channelUrlFault(url, 'refused')).toBe(PRIVATE);
    expect(channelUrlFault(url, 'allowed')).toBeNull();
  });

  it.each([
    'http://169.254.169.254/latest/meta-data',
    'http://169.254.0.1',
    'http://2852039166',
    'http://0xa9fea9fe',
    'http://metadata.google.internal',
    'http://METADATA.google.internal.',
    'http://metadata',
    'http://100.100.100.200',
    'http://168.63.129.16',
    'http://192.0.0.192',
    'http://0.0.0.0',
    'http://0.1.2.3',
    'http://224.0.0.1',
    'http://255.255.255.255',
    'http://[::]',
    'http://[fe80::1]',
    'http://[febf::1]',
    'http://[ff02::1]',
    'http://[fd00:ec2::254]',
    'http://[::ffff:169.254.169.254]',
    'http://[::ffff:a9fe:a9fe]',
    'http://[64:ff9b::a9fe:a9fe]',
    'http://[2002:a9fe:a9fe::1]',
  ])('%s is refused, whatever the operator allows', (url) => {
    expect(channelUrlFault(url, 'allowed')).toBe(NEVER);
  });

  it.each([
    ['', 'must be an absolute URL'],
    ['api.openai.com/v1', 'must be an absolute URL'],
    ['/v1', 'must be an absolute URL'],
    ['http://', 'must be an absolute URL'],
    ['ftp://example.com', 'must be an http or https URL'],
    ['file:///etc/passwd', 'must be an http or https URL'],
    ['javascript:alert(1)', 'must be an http or https URL'],
    ['https://user@example.com', 'must not hold credentials; use credential_ref'],
    ['https://:sk-canary@example.com', 'must not hold credentials; use credential_ref'],
    ['https://example.com/v1?key=sk-canary', 'must not have a query or a fragment'],
    ['https://example.com/v1?', 'must not have a query or a fragment'],
    ['https://example.com/v1#', 'must not have a query or a fragment'],
  ])('%s is refused', (url, fault) => {
    expect(channelUrlFault(url, 'allowed')).toBe(fault);
  });
});
