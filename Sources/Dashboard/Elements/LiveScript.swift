/// The one script, served from `/live.js`: pages say everything without it.
enum LiveScript {
    /// Refreshes the parts marked `data-live` when the log grows, shows times in the reader's zone
    /// when they choose it, copies commands and ids, and puts the cursor into the jump box.
    ///
    /// Builds nodes from our own pages only, by the browser's parser, and never runs text.
    static let text = #"""
        'use strict';
        (function () {
          var each = function (selector, body, root) {
            Array.prototype.forEach.call((root || document).querySelectorAll(selector), body);
          };
          var store = {
            get: function (key) {
              try { return localStorage.getItem(key); } catch (e) { return null; }
            },
            set: function (key, value) { try { localStorage.setItem(key, value); } catch (e) {} }
          };

          // Times: UTC as sent, or the reader's own zone.
          var zone = store.get('zone') === 'local' ? 'local' : 'utc';
          var pad = function (number) { return (number < 10 ? '0' : '') + number; };
          var local = function (date) {
            return date.getFullYear() + '-' + pad(date.getMonth() + 1) + '-' +
              pad(date.getDate()) + ' ' +
              pad(date.getHours()) + ':' + pad(date.getMinutes()) + ':' + pad(date.getSeconds());
          };
          var showTimes = function (root) {
            each('time[datetime]', function (time) {
              if (!time.dataset.utc) { time.dataset.utc = time.textContent; }
              var date = new Date(time.getAttribute('datetime'));
              time.textContent = zone === 'utc' || isNaN(date) ? time.dataset.utc : local(date);
            }, root);
          };
          var button = document.getElementById('zone');
          var nameZone = function () {
            button.textContent = zone === 'utc' ? 'UTC' : 'Local time';
            button.setAttribute(
              'aria-label', 'Times are shown in ' + button.textContent + '; change');
          };
          if (button) {
            button.hidden = false;
            nameZone();
            button.addEventListener('click', function () {
              zone = zone === 'utc' ? 'local' : 'utc';
              store.set('zone', zone);
              nameZone();
              showTimes();
            });
          }

          // Copy buttons beside commands and ids.
          var addCopies = function (root) {
            if (!navigator.clipboard) { return; }
            each('[data-copy]', function (element) {
              if (element.dataset.copies) { return; }
              element.dataset.copies = '1';
              var copy = document.createElement('button');
              copy.type = 'button';
              copy.className = 'small';
              copy.textContent = 'copy';
              copy.addEventListener('click', function () {
                navigator.clipboard.writeText(element.textContent).then(function () {
                  copy.textContent = 'copied';
                  setTimeout(function () { copy.textContent = 'copy'; }, 1500);
                });
              });
              element.insertAdjacentElement('afterend', copy);
              element.insertAdjacentText('afterend', ' ');
            }, root);
          };

          var jump = document.querySelector('.jump input');
          document.addEventListener('keydown', function (event) {
            if ((event.ctrlKey || event.metaKey) && event.key === 'k' && jump) {
              event.preventDefault();
              jump.focus();
              jump.select();
            }
          });

          // Live parts: fetch this page again and put its marked parts in place.
          var state = document.getElementById('live');
          var isBusy = false, isStale = false, last = 0;
          var say = function (isOn, text) {
            if (!state) { return; }
            state.hidden = false;
            state.className = isOn ? 'live on' : 'live';
            state.textContent = text;
          };
          // Something goes on that adds nothing to the log until it ends.
          var isWorking = function () { return document.querySelector('[data-busy]') !== null; };
          var refresh = function () {
            if (isBusy) { isStale = true; return; }
            isBusy = true;
            isStale = false;
            fetch(location.href, { headers: { Accept: 'text/html' }, credentials: 'same-origin' })
              .then(function (answer) {
                return answer.ok ? answer.text() : Promise.reject(answer.status);
              })
              .then(function (text) {
                var fresh = new DOMParser().parseFromString(text, 'text/html');
                each('[data-live]', function (part) {
                  var active = document.activeElement;
                  if (part.contains(active) && active !== document.body) { return; }
                  var other = fresh.getElementById(part.id);
                  if (!other || other.innerHTML === part.dataset.was) { return; }
                  part.dataset.was = other.innerHTML;
                  part.replaceChildren.apply(part, Array.prototype.slice.call(other.childNodes));
                  showTimes(part);
                  addCopies(part);
                });
              })
              .catch(function () {})
              .then(function () {
                last = Date.now();
                isBusy = false;
                if (isStale || isWorking()) { later(); }
              });
          };
          var timer = null;
          var later = function () {
            if (timer || document.hidden) { isStale = true; return; }
            timer = setTimeout(function () { timer = null; refresh(); },
              Math.max(0, 1000 - (Date.now() - last)));
          };
          if (window.EventSource && document.querySelector('[data-live]')) {
            var source = new EventSource('/live');
            source.onopen = function () { say(true, 'live'); };
            source.onerror = function () { say(false, 'not live: reconnecting'); };
            source.onmessage = later;
            if (isWorking()) { later(); }
            document.addEventListener('visibilitychange', function () {
              if (!document.hidden && isStale) { later(); }
            });
          }

          showTimes();
          addCopies();
        })();

        """#
}
