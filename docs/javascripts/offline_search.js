// Browsers start no worker from a file. In the offline site the search runs in a hidden frame.
if (location.protocol === 'file:') {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      const frame = document.createElement('iframe');
      frame.hidden = true;
      frame.srcdoc = '<!doctype html>';
      this.started = new Promise((start) => {
        frame.onload = () => {
          const inside = frame.contentWindow;
          inside.postMessage = (data) => this.dispatchEvent(new MessageEvent('message', { data }));
          const script = inside.document.createElement('script');
          script.src = url;
          script.onload = () => start(inside);
          inside.document.body.append(script);
        };
      });
      document.body.append(frame);
    }

    async postMessage(data) {
      (await this.started).dispatchEvent(new MessageEvent('message', { data }));
    }
  };
}
