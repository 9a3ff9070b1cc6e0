import VPlayModel
