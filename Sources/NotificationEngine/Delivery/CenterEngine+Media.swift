internal import Logging
import NotificationModel
internal import NotificationStore

extension CenterEngine {
    /// Gathers the facts that a post needs, and reports them to the state.
    ///
    /// Depending on `needs`, it finds the sound file, makes the image, asks about Do Not Disturb,
    /// and reads which notifications of the thread are delivered.
    func gather(_ needs: PostNeeds, of app: ApplicationID, token: UInt64) {
        Task {
            var facts = PostFacts()
            if let name = needs.soundName { facts.sound = await sound(named: name, of: app) }
            if let request = needs.image, let media = configuration.media {
                do {
                    facts.image = try await media.image(request)
                } catch {
                    Log.engine.warning(
                        """
                        an image of \(app) could not be prepared; its original file is shown: \
                        \(error)
                        """)
                }
            }
            if needs.asksSilence {
                facts.isInSilence = await presenterStatus().isInhibited == true
            }
            if let notification = needs.threadOf {
                do {
                    facts.thread = try await store.thread(of: notification)
                } catch {
                    Log.engine.warning(
                        "the count in a hidden preview of \(app) may be too low: \(error)")
                }
            }
            perform(state.factsGathered(token, facts, now: clock.now()))
        }
    }

    /// Plays a sound that the server does not play, unless Do Not Disturb silences it.
    ///
    /// While `PlayingSounds.limit` sounds of an app play, its next popups are silent.
    func play(_ request: SoundRequest, of app: ApplicationID) {
        guard let media = configuration.media, !state.isStopping, state.sounds.beginSound(of: app)
        else { return }
        Task {
            do {
                if await isWanted(request) { try await media.play(request) }
            } catch {
                Log.engine.warning("a sound of \(app) was not played: \(error)")
            }
            state.sounds.endSound(of: app)
        }
    }

    private func isWanted(_ request: SoundRequest) async -> Bool {
        if request.isCritical { return true }
        return await presenterStatus().isInhibited != true
    }
}
