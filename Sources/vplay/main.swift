import VPlayKit
