/// What `notify-send --help` says.
enum NotifySendHelp {
    static let text = """
        Usage:
          notify-send [OPTION…] <SUMMARY> [BODY] - create a notification

        Help Options:
          -?, --help                        Show this help

        Application Options:
          -u, --urgency=LEVEL               How urgent it is: low, normal or critical
          -t, --expire-time=TIME            Milliseconds until it leaves: 0 never, -1 as the server likes
          -a, --app-name=APP_NAME           The name of the app
          -i, --icon=ICON                   A theme icon's name, or a picture's path
          -n, --app-icon=ICON               The icon of the app
          -c, --category=TYPE[,TYPE...]     What kind of notification it is
          -e, --transient                   Have the server keep no history of it
          -h, --hint=TYPE:NAME:VALUE        Further data; types are boolean, int, double, string, byte and variant
          -p, --print-id                    Print the server's number of it
          -r, --replace-id=REPLACE_ID       The number of the one to replace
          -w, --wait                        Wait until it is closed
          -A, --action=[NAME=]Text...       A button, which is waited for; its name is printed, without one its place, from 0
          -v, --version                     Print the version

        This is tocsin. 'tocsin help' shows what else it can do.

        """
}
