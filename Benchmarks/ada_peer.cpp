// One way to read a return URL with the ada parser and its search parameters, for `./run bench`.
//
// Built only where CHECKOUT_LEDGER_ADA_SOURCE names a folder with ada.cpp and ada.h, as the PyPI
// package ada-url ships them.
#include "ada.cpp"

extern "C" size_t checkout_ledger_ada_parameters(const char *text, size_t length) {
    auto url = ada::parse<ada::url_aggregator>(std::string_view(text, length));
    if (!url) return 0;
    ada::url_search_params parameters(url->get_search());
    return parameters.size();
}
