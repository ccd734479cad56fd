internal import Logging
import NotificationModel

extension CenterEngine {
    /// Finds the file of a sound, and makes a picture that the server cannot cut or read by itself.
    func prepare(_ needs: MediaNeeds, of app: ApplicationID, token: UInt64) {
        Task {
            var made = MediaNeeds.Result()
            if let name = needs.soundName { made.sound = await sound(named: name, of: app) }
            if let order = needs.picture, let media {
                do {
                    made.picture = try await media.picture(order)
                } catch {
                    Log.engine.warning("a picture is shown as it is in its file: \(error)")
                }
            }
            perform(state.mediaEnded(token, made, now: clock.now()))
        }
    }

    /// Plays a sound that the server does not play, unless the person wants none.
    func play(_ order: SoundOrder, of app: ApplicationID) {
        guard let media else { return }
        Task {
            do {
                if await isWanted(order) { try await media.play(order) }
            } catch {
                Log.engine.warning("a sound of \(app) was not played: \(error)")
            }
            state.soundEnded(of: app)
        }
    }

    private func isWanted(_ order: SoundOrder) async -> Bool {
        if order.isCritical { return true }
        return await presenterStatus().isInhibited != true
    }
}
