// Stands in for what Wails puts into the page: window.go posts calls, window.runtime gets events.
(() => {
  window.faults = []; // what the page did not catch: tests want none
  // That a size is told of in the next frame only, which a row of a virtual list that unfolds may cause, is no fault.
  const later = 'ResizeObserver loop completed with undelivered notifications.';
  addEventListener('error', (e) => e.message !== later && window.faults.push(e.message));
  addEventListener('unhandledrejection', (e) => window.faults.push(String(e.reason)));
  addEventListener('securitypolicyviolation', (e) => window.faults.push(`policy: ${e.violatedDirective}`));

  const listeners = new Map();
  const on = (event, callback) => {
    const of = listeners.get(event) ?? new Set();
    listeners.set(event, of.add(callback));
    return () => of.delete(callback);
  };
  const emit = (event, ...data) => listeners.get(event)?.forEach((callback) => callback(...data));

  const source = new EventSource('/events');
  const connected = new Promise((resolve) => (source.onopen = resolve));
  source.onmessage = ({ data }) => {
    const message = JSON.parse(data);
    emit(message.event, message.data);
  };

  const call = async (service, method, args) => {
    await connected; // no event of a call may be missed
    const answer = await fetch(`/call/${service}/${method}`, { method: 'POST', body: JSON.stringify(args) });
    const text = (await answer.text()).trim();
    if (!answer.ok) throw new Error(text);
    return JSON.parse(text);
  };

  const service = (name) =>
    new Proxy({}, { get: (_, method) => (...args) => call(name, method, args) }); // prettier-ignore
  window.go = { app: new Proxy({}, { get: (_, name) => service(name) }) };
  window.runtime = {
    EventsOn: on,
    OnFileDrop: (callback) => on('drop', callback),
    ClipboardSetText: (text) => Promise.resolve(((window.copied = text), true)),
    OnFileDropOff: () => listeners.delete('drop'),
  };
  window.dropFiles = (paths) => emit('drop', 0, 0, paths); // for tests
})();
